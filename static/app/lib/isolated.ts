/** An address within a text, so that the writing direction of the language does not reorder it. */
export const isolated = (address: string): string => `\u2068${address}\u2069`;
