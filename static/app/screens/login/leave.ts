/** What happens after the person has ended their session: by signing out, or by removing the account. */
import { toasts } from '../../components/Toasts';
import { readCookie, removeCookie, writeCookie } from '../../data/cookies';
import { navigate } from '../../navigation/location';

/** Set until the next sign-in with a service, or until the browser is closed. All tabs share it. */
const leftCookie = 'mypads_left';

/**
 * True after `startLeaving`, also in other tabs and after a service has sent the person back. The sign-in screen then
 * does not send them to a service by itself: that would ask for a password at once, or undo the sign-out.
 */
export function hasLeft(): boolean {
  return readCookie(leftCookie) !== undefined;
}

/** Call it before the session ends, because the screen may change to the sign-in screen at once. */
export function startLeaving(): void {
  writeCookie(leftCookie, '1');
}

/** The person has signed in again. */
export function endLeaving(): void {
  removeCookie(leftCookie);
}

/**
 * Opens the sign-out page of the service by which the person had signed in, or our sign-in screen with a message.
 * `null`: nobody was signed in, as when `/logout` is rendered anew for a guest. `text` must be translated.
 */
export function showSignedOut(url: string | null | undefined, text: string): void {
  if (url) {
    location.assign(url);
    return;
  }
  navigate('/login', { replace: true });
  if (url !== null) toasts.success(text);
}
