/** Answer schemas for the API description. The compiler checks that each agrees with its type in api/wire.ts. */
import type * as z from 'zod';

/** The type with every optional field required, at any depth. A field that only one side has is then a type error. */
type Filled<Type> = Type extends readonly (infer One)[]
  ? Filled<One>[]
  : Type extends object
    ? { [Key in keyof Type]-?: Filled<Type[Key]> }
    : Type;

/** `Schema` if it has exactly the fields of `Wire`, otherwise `never`, which accepts no argument. */
type Agreeing<Wire, Schema extends z.ZodType> = [Wire, Filled<Wire>] extends [
  z.output<Schema>,
  Filled<z.output<Schema>>,
]
  ? [Filled<z.output<Schema>>] extends [Filled<Wire>]
    ? Schema
    : never
  : never;

/**
 * `answerOf<KeyAnswer>()(z.strictObject({…}))`. Schemas describe answers. They are not checked when an answer is sent;
 * the tests check them.
 */
export function answerOf<Wire>() {
  return <Schema extends z.ZodType<Wire>>(schema: Agreeing<Wire, Schema>): z.ZodType<Wire> => schema;
}
