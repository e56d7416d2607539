/**
 * Fields that old clients send back and that have no effect. They are accepted, and hidden from the API description.
 */
import type * as z from 'zod';

const mark = 'x-ignored';

/** Marks a schema as ignored. Call it last, because methods of zod drop the mark: `ignored(z.unknown().optional())`. */
export const ignored = <Schema extends z.ZodType>(schema: Schema): Schema => schema.meta({ [mark]: true });

/** Whether this JSON Schema, or these facts about a schema, belong to an ignored field. */
export const isIgnored = (schema: object): boolean => mark in schema;
