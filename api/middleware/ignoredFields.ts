/**
 * Fields that old clients send back and that have no effect. They are accepted, and hidden from the API description.
 */
import * as z from 'zod';

const mark = 'x-ignored';

/** Marks a schema as ignored. Call it last, because methods of zod drop the mark: `ignored(z.unknown().optional())`. */
export const ignored = <Schema extends z.ZodType>(schema: Schema): Schema => schema.meta({ [mark]: true });

const ignoredField = ignored(z.unknown().optional());

/** Fields with any value: clients send them back as parts of a record, or because ep_mypads 1.x required them. */
export const ignoredFields = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, ignoredField])) as Record<Name, typeof ignoredField>;

/** Whether this JSON Schema, or these facts about a schema, belong to an ignored field. */
export const isIgnored = (schema: object): boolean => mark in schema;
