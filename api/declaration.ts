/** What a call declares. calls.ts has all of them; middleware/answerCall.ts applies them, openapi/ describes them. */
import type * as z from 'zod';
import type { ErrorKey } from '../model/errors';
import type { Scope } from '../model/store/entities';
import type { Who } from './middleware/authorise';
import type { RecordRule } from './records';

/** Use `z.strictObject`. Without a schema, a body must be empty and a query is ignored. */
export interface InputSchema {
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /**
   * The error keys for invalid fields, by name. The first invalid field is answered. Default: PARAM_INVALID, STR_100
   * for a text that is too long, PARAM_UNKNOWN for an unknown field.
   */
  errors?: Readonly<Record<string, ErrorKey>>;
}

/** The schema of a call without input. */
export type Nothing = Record<never, never>;

type Part<Schema, Name extends keyof Schema> = Schema[Name] extends z.ZodType
  ? z.output<Schema[Name]>
  : Record<string, never>;

/** The input of a call, as its handler gets it. */
export interface Input<Schema extends InputSchema> {
  params: Part<Schema, 'params'>;
  query: Part<Schema, 'query'>;
  body: Part<Schema, 'body'>;
}

/** The fields of a schema as clients send them. Without ignored fields, whose type is `unknown`. */
export type SentFields<Fields extends z.ZodType> = {
  [Name in keyof z.input<Fields> as unknown extends z.input<Fields>[Name]
    ? never
    : Name]: z.input<Fields>[Name];
};

type SentPart<Schema, Name extends 'params' | 'body'> = Schema extends { [One in Name]: z.ZodType }
  ? { [One in Name]: SentFields<Schema[One]> }
  : unknown;

/** Numbers and truth values of a query are sent as text. */
type SentQuery<Schema> = Schema extends { query: z.ZodType }
  ? { query?: { [Field in keyof z.input<Schema['query']>]?: string | number | boolean } }
  : unknown;

/** The input of a call as clients send it. */
export type SentInput<Schema> = SentPart<Schema, 'params'> & SentQuery<Schema> & SentPart<Schema, 'body'>;

/** The body of a call as clients send it. */
export type Sent<Schema extends { body: z.ZodType }> = SentFields<Schema['body']>;

/** What a call takes and answers, and an example for the API description. */
export interface Details<Answer extends object = object, Schema extends InputSchema = InputSchema> {
  input?: Schema;
  answer: z.ZodType<Answer>;
  /** The errors that do not follow from the caller, the record and the input. Tests check every error that they get. */
  errors?: readonly ErrorKey[];
  /** The body is a form (`application/x-www-form-urlencoded`), as other services send it. */
  form?: true;
  /** The body is a ZIP (`application/zip`). The handler gets its file in `request.upload`. */
  upload?: true;
  /** Answers a browser by leading it elsewhere, with 303 and no body; `mostly`: or as `answer` says. */
  redirects?: true | 'mostly';
  /** A GET that changes something. Scanners of links send HEAD, which express would answer by doing the same. */
  acts?: true;
  /** Answers a file of this type instead of JSON. */
  file?: string;
  /** Kept for older programs. New programs use another call. */
  deprecated?: true;
  example?: { body?: object; answer?: object };
}

/** Checks that the example has the types of input and answer. */
export function details<Answer extends object, Schema extends InputSchema = Nothing>(
  given: Details<Answer, Schema> & {
    example?: {
      body?: NoInfer<Schema['body'] extends z.ZodType ? z.input<Schema['body']> & object : never>;
      answer?: NoInfer<Answer>;
    };
  },
): Details<Answer, Schema> {
  return given;
}

/** The declaration of one call. */
export interface Call<
  Name extends Who = Who,
  Found extends object = object,
  Answer extends object = object,
  Schema extends InputSchema = InputSchema,
> extends Details<Answer, Schema> {
  who: Name;
  /** The record that path or body name, and the right that the caller needs. `null`: the call names no record. */
  on: RecordRule<Found> | null;
  /** What an API token must allow for this call. No API token reaches a call without a scope. */
  scope: Scope | null;
  /** What the call does, in whole sentences. */
  summary: string;
}

/** Makes a row of calls.ts. */
export function call<
  Name extends Who,
  Answer extends object,
  Schema extends InputSchema,
  Found extends object = Nothing,
>(
  who: Name,
  on: RecordRule<Found> | null,
  scope: Scope | null,
  summary: string,
  more: Details<Answer, Schema>,
): Call<Name, Found, Answer, Schema> {
  return { who, on, scope, summary, ...more };
}
