/**
 * The pressed key, a letter always in lower case, because Caps Lock does not change a shortcut. On a keyboard without
 * Latin letters it is the letter at that place of a Latin keyboard: on a Russian one, "л" is "k".
 */
export function pressedKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  if (key.length > 1) return key;
  const lower = key.toLowerCase();
  return lower > '\x7f' ? (/^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? lower) : lower;
}
