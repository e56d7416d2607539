import { useEffect, useRef } from 'react';
import { toasts } from '../../components/Toasts';
import { useSignOut } from '../../data/mutations';
import { translate } from '../../i18n';
import { navigate } from '../../location';

/** `/logout`, from old links and bookmarks: signs out and shows the sign-in screen. */
export function Logout() {
  const { mutateAsync } = useSignOut();
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void mutateAsync()
      .catch(() => undefined)
      .then(() => {
        navigate('/login', { replace: true });
        toasts.success(translate('logout.done'));
      });
  }, [mutateAsync]);
  return null;
}
