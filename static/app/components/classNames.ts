/** Joins class names and skips empty ones: `classNames(styles.row, selected && styles.selected)`. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined;
}
