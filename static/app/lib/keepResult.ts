/**
 * Makes a result again only for other arguments than at the last call. Unlike with `useMemo`, all components share the
 * result, also one that is shown again later. For what takes long with hundreds of folders.
 */
export function keepResult<Given extends readonly unknown[], Result>(
  make: (...given: Given) => Result,
): (...given: Given) => Result {
  let last: { given: Given; result: Result } | undefined;
  return (...given) => {
    const known = last;
    if (known !== undefined && given.every((one, index) => one === known.given[index])) return known.result;
    const result = make(...given);
    last = { given, result };
    return result;
  };
}
