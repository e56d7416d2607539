import { type RefObject, useEffect, useRef } from 'react';

/** Whether the component is shown. For late answers, which come when the person may have gone on meanwhile. */
export function useShown(): RefObject<boolean> {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return shown;
}
