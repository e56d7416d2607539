import { type RefObject, useLayoutEffect, useRef } from 'react';

/** What the component was last rendered with, for effects and functions that are made once. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
