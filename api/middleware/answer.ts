/** What a call answers, as a schema for the API's own description that the compiler holds against the type of api/wire.ts. */
import type * as z from 'zod';

/** The type with nothing left out at any depth: a field that only one side knows shows. */
type Filled<Type> = Type extends readonly (infer One)[]
  ? Filled<One>[]
  : Type extends object
    ? { [Key in keyof Type]-?: Filled<Type[Key]> }
    : Type;

/** `Schema` where it says what `Wire` says, both ways; nothing can be passed where it does not. */
type Agreeing<Wire, Schema extends z.ZodType> = [Wire, Filled<Wire>] extends [
  z.output<Schema>,
  Filled<z.output<Schema>>,
]
  ? [Filled<z.output<Schema>>] extends [Filled<Wire>]
    ? Schema
    : never
  : never;

/** `answerOf<KeyAnswer>()(z.strictObject({…}))`. Answers are described by it and not checked when they are sent: the tests do that. */
export function answerOf<Wire>() {
  return <Schema extends z.ZodType<Wire>>(schema: Agreeing<Wire, Schema>): z.ZodType<Wire> => schema;
}
