import * as z from 'zod';
import { details } from '../declaration';

/** `GET cache/check`: whether the index of accounts is complete, so that everybody can sign in. */
const cacheAnswer = z.strictObject({ userCacheReady: z.boolean() });

export const check = details({ answer: cacheAnswer, example: { answer: { userCacheReady: true } } });
