import * as z from 'zod';

/** `GET l10n/:file`: a file of locales/, the texts by their keys. */
export const texts = {
  input: { params: z.strictObject({ file: z.string() }) },
  answer: z.record(z.string(), z.string()),
};
