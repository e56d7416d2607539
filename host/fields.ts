/** A JSON object of a browser or a file, whose fields are not checked yet. */
export type Fields = Record<string, unknown>;

/** False for lists. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
