/** The fields whose values differ from those before. All others may have been changed elsewhere since. */
export function changedFields<Fields extends object>(before: Fields, now: Fields): Partial<Fields> {
  const isChanged = ([field, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(before[field as keyof Fields]);
  return Object.fromEntries(Object.entries(now).filter(isChanged)) as Partial<Fields>;
}
