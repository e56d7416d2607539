/**
 * Remembers in a cookie for whom a browser has proved the right password before ("device cookies" of OWASP), so that
 * its attempts are not counted together with those of strangers. It has an entry for each account, folder or pad, which
 * ends when that password changes. Entries give no right, except `factor`: no second step for a month.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { lifetimes } from '../limits';
import { fingerprint } from '../passwords/password';
import type { StoredPassword } from '../store/entities';
import type { Tokens } from './token';

/**
 * What a password opens. `cas`, `oidc`, `header`: any account, because the service names it only at the sign-in.
 * `factor`: an account whose second step was done; see model/people/secondStep.ts.
 */
export interface Proved {
  what: 'user' | 'factor' | 'admin' | 'cas' | 'oidc' | 'header' | 'group' | 'pad';
  id: string;
  /** As it is stored. Without one, as for accounts of a directory, entries end only with their time. */
  password: StoredPassword | string | null | undefined;
}

/** The number of entries in a cookie. More would make the header of every request too long. */
const maxEntries = 10;
const day = 24 * 3600_000;
/** `d.<name>.<day on which it ends>.<signature>` */
const form = /^d\.([\w-]{12})\.([0-9a-z]{4})\.([\w-]{22})$/;

interface Entry {
  text: string;
  name: string;
  end: string;
  signature: string;
}

function read(cookie = ''): Entry[] {
  return cookie.split('~', maxEntries).flatMap((text) => {
    const [, name, end, signature] = form.exec(text) ?? [];
    return name && end && signature ? [{ text, name, end, signature }] : [];
  });
}

export function createDevices({ tokens, now }: { tokens: Tokens; now: () => number }) {
  function sign({ name, end }: Pick<Entry, 'name' | 'end'>, { what, id, password }: Proved): string {
    const current = typeof password === 'object' && password ? fingerprint(password) : (password ?? '');
    return tokens.ofDevice([name, end, what, id, current]);
  }

  function findEntry(cookie: string | undefined, proved: Proved): Entry | undefined {
    const today = Math.floor(now() / day);
    return read(cookie).find((entry) => {
      const valid = timingSafeEqual(Buffer.from(entry.signature), Buffer.from(sign(entry, proved)));
      return valid && Number.parseInt(entry.end, 36) >= today;
    });
  }

  return {
    /** The random name of this browser; `undefined` if the cookie has no valid entry for `proved`. */
    find: (cookie: string | undefined, proved: Proved): string | undefined => findEntry(cookie, proved)?.name,
    /** The value of the cookie with a new entry for `proved`. A browser that has one keeps its name. */
    remember(cookie: string | undefined, proved: Proved): string {
      const current = findEntry(cookie, proved);
      const name = current?.name ?? randomBytes(9).toString('base64url');
      const lifetime = proved.what === 'factor' ? lifetimes.confirmedBrowser : lifetimes.device;
      const end = Math.floor((now() + lifetime) / day)
        .toString(36)
        .padStart(4, '0');
      const own = `d.${name}.${end}.${sign({ name, end }, proved)}`;
      const others = read(cookie).filter((entry) => entry.text !== current?.text);
      return [own, ...others.map(({ text }) => text)].slice(0, maxEntries).join('~');
    },
  };
}

export type Devices = ReturnType<typeof createDevices>;
