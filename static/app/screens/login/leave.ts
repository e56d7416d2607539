/** What happens after the person has ended their session: by signing out, or by removing the account. */
import type { PublicConfiguration } from '../../../../api/configuration/schema';
import { toasts } from '../../components/Toasts';
import { navigate } from '../../location';

let left = false;

/** True after `startLeaving`. The sign-in screen then does not send the person back to the CAS server by itself. */
export function hasLeft(): boolean {
  return left;
}

/** Call it before the session ends, because the screen may change to the sign-in screen at once. */
export function startLeaving(): void {
  left = true;
}

type Settings = Pick<PublicConfiguration, 'authMethod' | 'authCasSettings'>;

/** Opens the sign-out page of the CAS server, or our sign-in screen with a message. `text` must be translated. */
export function showSignedOut({ authMethod, authCasSettings }: Settings, text: string): void {
  if (authMethod === 'cas' && authCasSettings.logoutUrl !== '') {
    location.assign(authCasSettings.logoutUrl);
    return;
  }
  navigate('/login', { replace: true });
  // They name folders and pads, and the next person at this screen would read them.
  toasts.clear();
  toasts.success(text);
}
