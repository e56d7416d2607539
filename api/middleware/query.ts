/** Fields of a query. They are sent as text; the API description shows the type that the text stands for. */
import * as z from 'zod';

export const wholeNumber = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum)
    .optional()
    .meta({ type: 'integer', minimum, maximum });

/** `true` or `false`. */
export const yesOrNo = () =>
  z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .meta({ type: 'boolean', enum: [true, false] });
