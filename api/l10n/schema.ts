import * as z from 'zod';

/** `GET l10n/:file`: the texts of a language by key. */
export const texts = {
  who: 'public',
  input: { params: z.strictObject({ file: z.string() }) },
  answer: z.record(z.string(), z.string()),
} as const;
