import * as z from 'zod';
import { details } from '../declaration';

const langProblem = 'BACKEND.ERROR.CONFIGURATION.LANG_PROBLEM';

/** `GET l10n/:file`: the texts of a language by key. */
const textsAnswer = z.record(z.string(), z.string());

export const texts = details({
  input: {
    params: z.strictObject({ file: z.string() }),
    errors: { file: langProblem },
  },
  answer: textsAnswer,
  errors: [langProblem],
});
