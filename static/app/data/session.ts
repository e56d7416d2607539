/**
 * The session of this browser. The token of a signed-in person is in local storage. The token of a guest, who has
 * proved a password, is kept until the browser is closed. All tabs share it. The server decides what a token opens.
 */
import { readItem, writeItem } from '../lib/storage';
import { createListeners, createStore } from '../lib/store';
import { parametersOf, parameterValues, pathOf, withParameters } from '../navigation/location';
import { readCookie, removeCookie, writeCookie } from './cookies';

export interface SessionState {
  /** Token of the signed-in person. */
  token: string | null;
  /** Token of a guest. The server remembers the passwords that they have proved. */
  guestToken: string | null;
  /** The server has ended the person's session. The page asks them to sign in again. */
  ended: boolean;
}

const tokenItem = 'token';
const guestCookie = 'mypads_guest';

const storedToken = (): string | null => readItem(tokenItem);

function storedGuestToken(): string | null {
  return readCookie(guestCookie) || null;
}

const state = createStore<SessionState>({
  token: storedToken(),
  guestToken: storedGuestToken(),
  ended: false,
});
const otherTabs = createListeners();

function change(next: Partial<SessionState>): void {
  const before = state.get();
  const now = { ...before, ...next };
  const { token, guestToken } = now;
  if (token !== before.token) writeItem(tokenItem, token);
  if (guestToken !== before.guestToken && guestToken === null) removeCookie(guestCookie);
  if (guestToken !== before.guestToken && guestToken !== null) writeCookie(guestCookie, guestToken);
  state.set(now);
}

/** Another tab may have proved a password. Runs before queries that are refetched on focus. */
addEventListener('focus', () => {
  const guestToken = storedGuestToken();
  if (guestToken !== state.get().guestToken) state.set({ ...state.get(), guestToken });
});

/** Another tab signed in or out. */
addEventListener('storage', (event) => {
  if (event.key !== null && event.key !== tokenItem) return;
  const token = storedToken();
  const before = state.get();
  state.set({ token, guestToken: storedGuestToken(), ended: before.ended && token === null });
  if (token !== before.token) otherTabs.notify();
});

/** Calls `listener` when another tab signs somebody in or out. */
export const watchOtherTabs = otherTabs.subscribe;

/** The current state. */
export const readSession = state.get;
export const useSessionState = state.use;

/** The token to send with a call; `null` for a guest without one. */
export function bearer(): string | null {
  const { token, guestToken } = readSession();
  return token ?? guestToken;
}

/** The token for signing in: what a guest has opened stays open for them. */
export const guestToken = (): string | null => readSession().guestToken;

/** Starts a person's session. The guest's session ends. */
export function startSession(token: string): void {
  change({ token, guestToken: null, ended: false });
}

/** Stores the token of a guest who has proved a password. */
export function keepGuestToken(token: string): void {
  if (readSession().token === null) change({ guestToken: token });
}

export function dropGuestToken(): void {
  change({ guestToken: null });
}

/** The server has ended the session. The screen stays, so that the person can sign in again and continue. */
export function endSession(): void {
  change({ token: null, ended: true });
}

/** After the server has ended the session: resolves when the person has signed in again, or does not want to. */
export const whenNotEnded = (signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = state.subscribe(() => {
      if (readSession().ended) return;
      stop();
      resolve();
    });
    signal?.addEventListener('abort', () => {
      stop();
      reject(signal.reason);
    });
  });

/** The person has signed out, or does not want to sign in again. */
export function forgetSession(): void {
  change({ token: null, guestToken: null, ended: false });
}

/** The current path with its parameters, as `navigate` takes it. */
export function currentPath(): string {
  return withParameters(pathOf(location.search), parameterValues(parametersOf(location.search)));
}

/** The sign-in screen. It returns to `path` afterwards. */
export function signInPath(path: string = currentPath()): string {
  return withParameters('/login', { return: path === '/' ? null : path });
}

const backItem = 'mypads_back';

/** Opens `path` after the next sign-in in this tab, also if the browser signs out at a service before; `null`: not. */
export const comeBack = (path: string | null): void => writeItem(backItem, path, 'sessionStorage');

/**
 * The path to open after signing in, from the parameters of the sign-in screen (see `signInPath`). Otherwise the
 * folders, and not `/`, which leads to the administration if an administrator is signed in too.
 */
export function returnPath(parameters: URLSearchParams): string {
  const path = parameters.get('return') ?? readItem(backItem, 'sessionStorage') ?? '';
  return path.startsWith('/') && !path.startsWith('/login') ? path : '/mypads';
}
