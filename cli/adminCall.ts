/** Calls of the commands to the API of a running server, as a server administrator. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../host/standalone';

/** The address of Etherpad, without `/mypads` at its end. `undefined` if `url` is not a web address. */
export const addressOf = (url: string): string | undefined =>
  /^https?:/.test(url) && URL.canParse(url) ? url.replace(/\/+$/, '').replace(/\/mypads$/, '') : undefined;

/** The answer to a call, or its error. */
export type Answer = Record<string, unknown> & {
  error?: string;
  field?: string;
  key?: string;
  scope?: string;
};
type Method = 'GET' | 'POST' | 'PUT';
export type Call = (method: Method, path: string, body?: object) => Promise<Answer>;

/** How often a call is tried if the server is busy, or too many calls were made with the API token. */
const maxTries = 10;
/** Seconds. A longer wait is that of a limit for wrong passwords. */
const longestWait = 60;

/** The caller with a token is nobody, or no server administrator. */
const refusals: readonly string[] = ['NOT_AUTH', 'ADMIN'].map(
  (name) => `BACKEND.ERROR.AUTHENTICATION.${name}`,
);

/** The answer in JSON. Something else answered, such as a proxy or another program, if it is not a JSON object. */
async function answerOf(base: string, response: Response, hasToken: boolean): Promise<Answer> {
  const answer: unknown = await response.json().catch(() => undefined);
  const isAnswer = (value: unknown): value is Answer => typeof value === 'object' && value !== null;
  if (isAnswer(answer)) {
    // Each further call would fail too, until the limit for wrong tokens refuses this address.
    if (hasToken && answer.error !== undefined && refusals.includes(answer.error))
      throw new OperatorError('The token is wrong, has ended, or is not that of a server administrator.');
    return answer;
  }
  throw new OperatorError(
    `${base}/mypads does not answer as the API of ep_mypads (status ${response.status}). Is the address right?`,
  );
}

/** Makes the function that calls the API. It waits and tries again as the server says. */
function createCall(base: string, token?: string): Call {
  // The administration log has one entry for all changes with this text.
  const run = randomBytes(12).toString('hex');
  return async (method, path, body) => {
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(`${base}/mypads/api/${path}`, {
        method,
        headers: {
          'Content-Type': 'application/json',
          'Mypads-Import': run,
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        },
        body: body && JSON.stringify(body),
      }).catch((error: Error) => {
        throw new OperatorError(`${base} does not answer: ${error.cause ?? error.message}.`);
      });
      const wait = Number(response.headers.get('Retry-After'));
      const mayRetry = [429, 503].includes(response.status) && wait > 0 && wait <= longestWait;
      if (!mayRetry || tries === maxTries) return answerOf(base, response, token !== undefined);
      await pause(wait * 1_000);
    }
  };
}

/**
 * Returns the environment variable, or asks on the terminal. The typed answer is hidden, because it may be a password.
 */
async function ask(prompt: string, variable: string): Promise<string> {
  const given = process.env[variable];
  if (given) return given;
  if (!process.stdin.isTTY)
    throw new OperatorError(
      `${variable} is not set. Set MYPADS_TOKEN_FILE, MYPADS_TOKEN, or MYPADS_ADMIN and MYPADS_PASSWORD.`,
    );
  const hidden = new Writable({ write: (_text, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: hidden, terminal: true });
  process.stderr.write(`${prompt}: `);
  const answer = await terminal.question('');
  terminal.close();
  process.stderr.write('\n');
  return answer;
}

/** An API token, or the token of a session. Throws an OperatorError if its file cannot be read. */
function givenToken(): string | undefined {
  const { MYPADS_TOKEN, MYPADS_TOKEN_FILE } = process.env;
  if (!MYPADS_TOKEN_FILE) return MYPADS_TOKEN;
  try {
    const token = readFileSync(MYPADS_TOKEN_FILE, 'utf8').trim();
    if (/^[!-~]+$/.test(token)) return token;
  } catch (error) {
    throw new OperatorError(`The file of MYPADS_TOKEN_FILE cannot be read: ${(error as Error).message}`);
  }
  throw new OperatorError('The file of MYPADS_TOKEN_FILE has no token, or more than one line.');
}

/** Throws an OperatorError if the server does not answer or refuses the sign-in. */
export async function signIn(base: string): Promise<Call> {
  const given = givenToken();
  if (given) return createCall(base, given);
  const login = await ask('Server administrator', 'MYPADS_ADMIN');
  const password = await ask('Password', 'MYPADS_PASSWORD');
  const { token, error } = await createCall(base)('POST', 'auth/admin/login', { login, password });
  if (typeof token !== 'string') throw new OperatorError(`The sign-in failed: ${error}`);
  return createCall(base, token);
}
