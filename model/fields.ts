/** An object of a call, a file or the database, whose fields are not checked yet. */
export type Fields = Record<string, unknown>;

/** False for lists. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** `most`: characters. */
export const isText = (value: unknown, most: number): boolean =>
  typeof value === 'string' && value.length <= most;

export const isTextOrMissing = (value: unknown, most: number): boolean =>
  isMissing(value) || isText(value, most);
