import { useEffect } from 'react';
import { toasts } from '../../components/Toasts';
import { useLatest } from '../../lib/useLatest';

/** Says once that what a link asks about does not exist (`missing`), and leads on. `text` must be translated. */
export function useMissing(missing: boolean, text: string, leadOn: () => void): void {
  const latest = useLatest({ text, leadOn });
  useEffect(() => {
    if (!missing) return;
    toasts.warning(latest.current.text);
    latest.current.leadOn();
  }, [missing]);
}
