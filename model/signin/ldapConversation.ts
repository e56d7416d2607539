/**
 * Conversations with an LDAP directory, one at a time, in a process of their own: service bind, search, bind as the person found. The
 * LDAP client is no longer maintained; an answer with one wrong byte makes its reader loop until memory ends, which no thread survives,
 * and unusual result codes or settings make it throw where nobody can catch. Here that costs one sign-in and not the pad server. See
 * model/signin/ldapPool.ts.
 */
import { setTimeout as pause } from 'node:timers/promises';
import LdapAuth from 'ldapauth-fork';
import { filterFor, repairEncryption, repairNames } from './ldapRepairs';

export interface LdapQuestion {
  id: string;
  options: LdapAuth.Options;
  username: string;
  password: string;
}

export type LdapAnswer =
  | { kind: 'found'; entry: Record<string, unknown> }
  /** The directory knows the person and not this password. */
  | { kind: 'refused' }
  | { kind: 'unknown' }
  /** More than one entry has this name. */
  | { kind: 'ambiguous' }
  | { kind: 'failed'; reason: string };

export interface LdapReply {
  /** Of the question. */
  id: string;
  answer: LdapAnswer;
  /** All connections are closed; the process is as it was before. */
  clean: boolean;
}

/** For goodbye, and between two looks whether it is over, in milliseconds. */
const closingTime = 250;
const glance = 5;

/** Active Directory answers so too; its `data 52e` and `data 525` are in a text that the client drops. */
const invalidCredentials = 49;
/** The entry has no password at all. */
const inappropriateAuthentication = 48;

function codeOf(error: unknown): number | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? code : undefined;
}

function textOf(error: unknown): string {
  // A name with several addresses, none of which answers.
  if (error instanceof AggregateError) return error.errors.map(textOf).join(', ');
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** `serviceBound`: the service account's own bind has gone well, so a refusal is about the person. */
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

/** Sends the one reply to a question. */
function replyTo(id: string): (answer: LdapAnswer, clean: boolean) => void {
  let sent = false;
  return (answer, clean) => {
    if (sent) return;
    sent = true;
    const reply: LdapReply = { id, answer, clean };
    process.send?.(reply);
  };
}

/** Does the process hold nothing but the channel to its parent? The client may still be connecting when it says it has closed. */
function isQuiet(): boolean {
  return process
    .getActiveResourcesInfo()
    .every((kind) => ['PipeWrap', 'Timeout', 'Immediate'].includes(kind));
}

async function becomesQuiet(): Promise<boolean> {
  const latest = performance.now() + closingTime;
  while (!isQuiet() && performance.now() < latest) await pause(glance);
  return isQuiet();
}

repairNames();
const encryption = repairEncryption();
let reply = replyTo('');

async function converse(question: LdapQuestion): Promise<void> {
  const { id, options, username, password } = question;
  const send = replyTo(id);
  reply = send;
  const filter = filterFor(options.searchFilter, username);
  // The client asks its filter text to `replace` the placeholder, and takes a filter where a text is.
  const searchFilter = { replace: () => filter } as unknown as string;
  const directory = new LdapAuth({ ...options, searchFilter });
  let closing = false;
  const finish = (answer: LdapAnswer): void => {
    if (closing) return;
    closing = true;
    directory.close();
    void becomesQuiet().then((clean) => send(answer, clean));
  };
  directory.on('error', (error: unknown) => finish({ kind: 'failed', reason: textOf(error) }));
  await encryption();
  directory.authenticate(username, password, (error: unknown, entry: unknown) => {
    if (error || typeof entry !== 'object' || entry === null) {
      // The one thing about it that is not public: without it a wrong service password would look like the person's.
      const serviceBound = '_adminBound' in directory && directory._adminBound === true;
      finish(answerTo(error ?? 'no entry', serviceBound));
    } else finish({ kind: 'found', entry: Object.fromEntries(Object.entries(entry)) });
  });
}

// The parent ends the process after a failure.
process.on('uncaughtException', (error) => reply({ kind: 'failed', reason: textOf(error) }, false));
process.once('disconnect', () => process.exit());
process.on('message', (question: LdapQuestion) => void converse(question));
