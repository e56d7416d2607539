import * as z from 'zod';
import { limits } from '../../model/limits';
import type { InputSchema } from '../middleware/validate';

const name = z.string().min(1).max(limits.text);
const value = z.unknown().refine((sent) => sent !== undefined);

/** `GET configuration/:key`, `DELETE configuration/:key` */
export const byKey = {
  params: z.strictObject({ key: name }),
  errors: { key: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND' },
} satisfies InputSchema;

/** `PUT configuration/:key`. What a value may be is told by model/configuration.ts. */
export const valueByKey = {
  params: z.strictObject({ key: name }),
  body: z.strictObject({ value, key: name.optional() }),
  errors: { key: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', value: 'BACKEND.ERROR.TYPE.VALUE_REQUIRED' },
} satisfies InputSchema;

/** `POST configuration` */
export const keyAndValue = {
  body: z.strictObject({ key: name, value }),
  errors: { key: 'BACKEND.ERROR.TYPE.KEY_STR', value: 'BACKEND.ERROR.TYPE.VALUE_REQUIRED' },
} satisfies InputSchema;

/** `GET configuration/public/allpadspublicsauthentifiedonly` */
export const padOfQuery = {
  query: z.strictObject({ pid: z.string().max(limits.id).optional() }),
  errors: { pid: 'BACKEND.ERROR.TYPE.PARAM_INVALID' },
} satisfies InputSchema;
