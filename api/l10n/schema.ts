import * as z from 'zod';
import type { InputSchema } from '../middleware/route';

/** `GET l10n/:file` */
export const byFile = { params: z.strictObject({ file: z.string() }) } satisfies InputSchema;

/** `GET l10n/:file`: the texts of a language by key. */
export const textsAnswer = z.record(z.string(), z.string());
