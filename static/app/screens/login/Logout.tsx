import { useEffect, useRef } from 'react';
import { useSignOut } from '../../data/signIn';
import { translate } from '../../texts/i18n';
import { showSignedOut, startLeaving } from './leave';

/** `/logout`, an address of ep_mypads 1.x: signs out and shows the sign-in screen, or the sign-out page of a
 * service. */
export function Logout() {
  const { mutateAsync } = useSignOut();
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    startLeaving();
    void mutateAsync()
      .catch(() => undefined)
      .then((url) => showSignedOut(url, translate('logout.done')));
  }, [mutateAsync]);
  return null;
}
