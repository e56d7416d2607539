import { useEffect } from 'react';

/** Does something once, when the component is first shown. */
export function useOnce(effect: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it may be another function at each rendering
  useEffect(() => effect(), []);
}
