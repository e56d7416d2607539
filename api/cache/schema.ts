import * as z from 'zod';
import { answerOf } from '../middleware/answer';
import type { CacheAnswer } from '../wire';

/** `GET cache/check` */
export const cacheAnswer = answerOf<CacheAnswer>()(z.strictObject({ userCacheReady: z.boolean() }));
