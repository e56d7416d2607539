/** URLs of a pad's editor. */
import type { PadTicketAnswer } from '../../../../api/pad/schema';
import { base } from '../../navigation/location';

/** The path of the pad server: the base path without its `mypads/`. */
const root = base.replace(/mypads\/$/, '');

/** The editor for a new tab. The entry cookie opens it; without the cookie, the server redirects to this page. */
export function editorAddress(pad: string): string {
  return `${root}p/${encodeURIComponent(pad)}`;
}

/**
 * The editor for the frame. The ticket opens it once; name and colour are the person's. `language`: that of the page.
 * Etherpad writes its codes in lower case.
 */
export function frameAddress(
  pad: string,
  { ticket, userColor, userName }: PadTicketAnswer,
  language: string,
): string {
  const values = [
    ['auth_token', ticket],
    ['userColor', userColor],
    ['userName', userName],
    ['lang', language.toLowerCase()],
  ] as const;
  const query = values
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${editorAddress(pad)}?${query.join('&')}`;
}
