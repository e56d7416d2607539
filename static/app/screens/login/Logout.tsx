import { useOnce } from '../../lib/useOnce';
import { useLeave } from '../../shell/leaving';

/** `/logout`, an address of ep_mypads 1.x: signs out and shows the sign-in screen, or the sign-out page of a
 * service. */
export function Logout() {
  useOnce(useLeave());
  return null;
}
