/** The address of a pad's editor. */
import type { PadTicketAnswer } from '../../../../api/wire';
import { base } from '../../location';

/** Where the pad server lives: the base path without its `mypads/`. */
const root = base.replace(/mypads\/$/, '');

/** The editor itself, for a tab of its own. The entry cookie opens it; who has none is sent back here. */
export function editorAddress(pad: string): string {
  return `${root}p/${encodeURIComponent(pad)}`;
}

/** The editor for the frame: a ticket lets it enter once, name and colour are those of the person. */
export function frameAddress(pad: string, { ticket, userColor, userName }: PadTicketAnswer): string {
  const values = [
    ['auth_token', ticket],
    ['userColor', userColor],
    ['userName', userName],
  ] as const;
  const query = values
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${editorAddress(pad)}?${query.join('&')}`;
}
