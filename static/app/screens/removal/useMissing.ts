import { useEffect, useRef } from 'react';
import { toasts } from '../../components/Toasts';

/** Says once that what a link asks about does not exist (`missing`), and leads on. `text` must be translated. */
export function useMissing(missing: boolean, text: string, leadOn: () => void): void {
  const latest = useRef({ text, leadOn });
  useEffect(() => {
    latest.current = { text, leadOn };
  });
  useEffect(() => {
    if (!missing) return;
    toasts.warning(latest.current.text);
    latest.current.leadOn();
  }, [missing]);
}
