import { useCallback } from 'react';
import { useShown } from '../lib/useShown';
import { navigate } from './location';

/**
 * `navigate`, but only while the component is shown: a late answer must not take people away from where they have gone
 * meanwhile.
 */
export function useNavigate(): typeof navigate {
  const shown = useShown();
  return useCallback(
    (path, options) => {
      if (shown.current) navigate(path, options);
    },
    [shown],
  );
}
