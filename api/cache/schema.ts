import * as z from 'zod';

/** `GET cache/check`: whether the index of accounts is complete, so that everybody can sign in. */
export const cacheAnswer = z.strictObject({ userCacheReady: z.boolean() });
export type CacheAnswer = z.infer<typeof cacheAnswer>;
