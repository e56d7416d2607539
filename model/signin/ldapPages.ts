/**
 * Reads everybody in a directory, in a process of its own, so that people can sign in meanwhile. The next page is asked
 * for when the one before has been used.
 */
import type { Options } from 'ldapauth-fork';
import type { LdapPool } from './ldapPool';
import { accountControl, type LdapSettings, listingOptions } from './ldapSettings';
import { firstText, listedPersonOf } from './profile';
import type { ConfirmedPerson } from './signIn';

const defaultTimeLimit = 60_000;

type Entries = Record<string, unknown>[];

interface Limits {
  signal: AbortSignal;
  /** Milliseconds for each page. */
  timeLimit?: number | undefined;
}

async function* pagesFrom(
  pool: Pick<LdapPool, 'lend'>,
  options: Options,
  { signal, timeLimit = defaultTimeLimit }: Limits,
): AsyncGenerator<Entries> {
  signal.throwIfAborted();
  const lent = pool.lend();
  const end = (): void => lent.giveBack(false);
  signal.addEventListener('abort', end);
  let isClean = false;
  try {
    for (let isLast = false, isFirst = true; !isLast; isFirst = false) {
      const question = isFirst ? { page: 'first' as const, options } : { page: 'next' as const };
      const { answer, clean } = await lent.ask(question, timeLimit);
      signal.throwIfAborted();
      if (answer.kind !== 'page')
        throw new Error(answer.kind === 'failed' ? answer.reason : 'no list of people');
      isClean = clean;
      isLast = answer.isLast;
      yield answer.entries;
      signal.throwIfAborted();
    }
  } finally {
    signal.removeEventListener('abort', end);
    lent.giveBack(isClean && !signal.aborted);
  }
}

/** Asks the servers in order until one sends a first page. Throws why the list is not complete. */
async function* pagesOf(
  pool: Pick<LdapPool, 'lend'>,
  servers: readonly Options[],
  limits: Limits,
): AsyncGenerator<Entries> {
  for (const [index, server] of servers.entries()) {
    let begun = false;
    try {
      for await (const page of pagesFrom(pool, server, limits)) {
        begun = true;
        yield page;
      }
      return;
    } catch (error) {
      // Another server may send the pages in another order.
      if (begun || index === servers.length - 1) throw error;
    }
  }
}

/** Bit 2 of the number says so in Active Directory. */
const isDisabled = (entry: Record<string, unknown>): boolean =>
  (Number(firstText(entry, accountControl)) & 2) !== 0;

/** Entries that are read in one go, which takes some milliseconds. */
const readAtOnce = 50;

/** People without those who are disabled, or have no valid login. Throws as `pagesOf`. */
export async function* listEverybody(
  pool: Pick<LdapPool, 'lend'>,
  settings: LdapSettings,
  { wanted, ...limits }: Limits & { wanted: readonly string[] },
): AsyncGenerator<ConfirmedPerson[]> {
  for await (const entries of pagesOf(pool, listingOptions(settings, wanted), limits)) {
    const active = entries.filter((entry) => !isDisabled(entry));
    for (let start = 0; start < active.length; start += readAtOnce) {
      const part = active.slice(start, start + readAtOnce);
      yield part.flatMap((entry) => listedPersonOf('ldap', entry, settings, wanted) ?? []);
    }
  }
}
