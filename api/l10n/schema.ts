import * as z from 'zod';
import { details, type InputSchema } from '../declaration';

const langProblem = 'BACKEND.ERROR.CONFIGURATION.LANG_PROBLEM';

/** `GET l10n/:file` */
const byFile = {
  params: z.strictObject({ file: z.string() }),
  errors: { file: langProblem },
} satisfies InputSchema;

/** `GET l10n/:file`: the texts of a language by key. */
const textsAnswer = z.record(z.string(), z.string());

export const texts = details({ input: byFile, answer: textsAnswer, errors: [langProblem] });
