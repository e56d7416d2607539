/** Joins the class names that are there: `classNames(styles.row, selected && styles.selected)`. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined;
}
