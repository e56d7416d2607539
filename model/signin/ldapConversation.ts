/**
 * Talks to an LDAP directory in a separate process: service bind, search, bind as the person. The LDAP client is not
 * maintained; a single wrong byte can make it loop until memory is full, or throw where nothing can catch it. In a
 * separate process only one sign-in fails. See model/signin/ldapPool.ts.
 */
import { setTimeout as pause } from 'node:timers/promises';
import LdapAuth from 'ldapauth-fork';
import { LdapListing } from './ldapListing';
import { filterFor, repairAddresses, repairEncryption, repairNames } from './ldapRepairs';

export interface LdapQuestion {
  id: string;
  options: LdapAuth.Options;
  username: string;
  password: string;
}

/** Asks for everybody in the directory, one page after the other. Only the first question has `options`. */
export interface LdapListQuestion {
  id: string;
  page: 'first' | 'next';
  options?: LdapAuth.Options;
}

export type LdapAnswer =
  | { kind: 'found'; entry: Record<string, unknown> }
  /** The person exists; the password is wrong. */
  | { kind: 'refused' }
  | { kind: 'unknown' }
  /** More than one entry matches the login. */
  | { kind: 'ambiguous' }
  /** A page of the list. */
  | { kind: 'page'; entries: Record<string, unknown>[]; isLast: boolean }
  | { kind: 'failed'; reason: string };

export interface LdapReply {
  /** Id of the question. */
  id: string;
  answer: LdapAnswer;
  /** True when all connections are closed and the process can be reused. */
  clean: boolean;
}

/** Milliseconds to wait for connections to close, and between two checks. */
const closingTime = 250;
const pollInterval = 5;

/**
 * Wrong password. Active Directory also sends it for an unknown login: its codes for the reason (`data 52e`, `data
 * 525`) are in a text that the client drops.
 */
const invalidCredentials = 49;
/** The entry has no password. */
const inappropriateAuthentication = 48;

function codeOf(error: unknown): number | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? code : undefined;
}

function textOf(error: unknown): string {
  // Several addresses, and none of them answers.
  if (error instanceof AggregateError) return error.errors.map(textOf).join(', ');
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** `serviceBound`: the bind of the service account succeeded, so a refusal concerns the person. */
function answerTo(error: unknown, serviceBound: boolean): LdapAnswer {
  if (typeof error === 'string' && error.startsWith('no such user')) return { kind: 'unknown' };
  if (typeof error === 'string' && error.startsWith('unexpected number of matches'))
    return { kind: 'ambiguous' };
  const code = codeOf(error);
  const reason = textOf(error);
  const aboutCredentials = code === invalidCredentials || code === inappropriateAuthentication;
  if (!aboutCredentials) return { kind: 'failed', reason };
  return serviceBound ? { kind: 'refused' } : { kind: 'failed', reason: `bindDN was refused: ${reason}` };
}

/** Sends at most one reply to a question. */
function replyTo(id: string): (answer: LdapAnswer, clean: boolean) => void {
  let sent = false;
  return (answer, clean) => {
    if (sent) return;
    sent = true;
    const reply: LdapReply = { id, answer, clean };
    process.send?.(reply);
  };
}

/**
 * True when the process has no open connection but the one to its parent. The client may still be connecting after it
 * reported that it closed.
 */
function isIdle(): boolean {
  return process
    .getActiveResourcesInfo()
    .every((kind) => ['PipeWrap', 'Timeout', 'Immediate'].includes(kind));
}

async function waitUntilIdle(): Promise<boolean> {
  const latest = performance.now() + closingTime;
  while (!isIdle() && performance.now() < latest) await pause(pollInterval);
  return isIdle();
}

repairNames();
repairAddresses();
const encryption = repairEncryption();
let reply = replyTo('');

async function converse(question: LdapQuestion): Promise<void> {
  const { id, options, username, password } = question;
  const send = replyTo(id);
  reply = send;
  const filter = filterFor(options.searchFilter, username);
  // The client calls `replace` on its filter text to insert the login, and accepts a filter object as the result.
  const searchFilter = { replace: () => filter } as unknown as string;
  const directory = new LdapAuth({ ...options, searchFilter });
  let closing = false;
  const finish = (answer: LdapAnswer): void => {
    if (closing) return;
    closing = true;
    directory.close();
    void waitUntilIdle().then((clean) => send(answer, clean));
  };
  directory.on('error', (error: unknown) => finish({ kind: 'failed', reason: textOf(error) }));
  await encryption();
  directory.authenticate(username, password, (error: unknown, entry: unknown) => {
    if (error || typeof entry !== 'object' || entry === null) {
      // The only private field used. Without it a wrong password of the service account would look like a wrong
      // password of the person.
      const serviceBound = '_adminBound' in directory && directory._adminBound === true;
      finish(answerTo(error ?? 'no entry', serviceBound));
    } else finish({ kind: 'found', entry: Object.fromEntries(Object.entries(entry)) });
  });
}

let listing: LdapListing | undefined;

async function list({ id, options }: LdapListQuestion): Promise<void> {
  const send = replyTo(id);
  reply = send;
  try {
    if (options !== undefined) listing = new LdapListing(options, encryption);
    if (listing === undefined) throw new Error('no list was begun');
    const page = await listing.nextPage();
    if (page.isLast) listing.close();
    send({ kind: 'page', ...page }, page.isLast && (await waitUntilIdle()));
  } catch (error) {
    send({ kind: 'failed', reason: textOf(error) }, false);
  }
}

// After a failure the parent ends this process.
process.on('uncaughtException', (error) => reply({ kind: 'failed', reason: textOf(error) }, false));
process.once('disconnect', () => process.exit());
process.on(
  'message',
  (question: LdapQuestion | LdapListQuestion) =>
    void ('page' in question ? list(question) : converse(question)),
);
