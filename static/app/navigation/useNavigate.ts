import { useCallback, useEffect, useRef } from 'react';
import { navigate } from './location';

/**
 * `navigate`, but only while the component is shown: a late answer must not take people away from where they have gone
 * meanwhile.
 */
export function useNavigate(): typeof navigate {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return useCallback((path, options) => {
    if (shown.current) navigate(path, options);
  }, []);
}
