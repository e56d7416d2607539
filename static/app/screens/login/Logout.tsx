import { useSignOut } from '../../data/signIn';
import { useOnce } from '../../lib/useOnce';
import { translate } from '../../texts/i18n';
import { showSignedOut, startLeaving } from './leave';

/** `/logout`, an address of ep_mypads 1.x: signs out and shows the sign-in screen, or the sign-out page of a
 * service. */
export function Logout() {
  const { mutateAsync } = useSignOut();
  useOnce(() => {
    startLeaving();
    void mutateAsync()
      .catch(() => undefined)
      .then((url) => showSignedOut(url, translate('logout.done')));
  });
  return null;
}
