/**
 * Who this browser is to the server: the token of the person who signed in, kept in local storage, or that of a guest who proved a
 * password, kept until the browser is closed. Every tab agrees; what they open is the server's business.
 */
import { useSyncExternalStore } from 'react';
import { parametersOf, pathOf, placeWith } from '../location';
import { readCookie, removeCookie, writeCookie } from './cookies';

export interface SessionState {
  /** Of the person who is signed in. */
  token: string | null;
  /** Of a guest: remembers the passwords that were proved here. */
  guestToken: string | null;
  /** The server has ended the person's session; the page asks to sign in again. */
  ended: boolean;
}

const tokenItem = 'token';
const guestCookie = 'mypads_guest';

function storedToken(): string | null {
  try {
    return localStorage.getItem(tokenItem);
  } catch {
    return null;
  }
}

function storedGuestToken(): string | null {
  return readCookie(guestCookie) || null;
}

let state: SessionState = { token: storedToken(), guestToken: storedGuestToken(), ended: false };
const listeners = new Set<() => void>();

function change(next: Partial<SessionState>): void {
  const before = state;
  state = { ...state, ...next };
  const { token, guestToken } = state;
  try {
    if (token !== before.token && token === null) localStorage.removeItem(tokenItem);
    if (token !== before.token && token !== null) localStorage.setItem(tokenItem, token);
  } catch {
    // A browser that keeps nothing: signed in until the tab closes.
  }
  if (guestToken !== before.guestToken && guestToken === null) removeCookie(guestCookie);
  if (guestToken !== before.guestToken && guestToken !== null) writeCookie(guestCookie, guestToken);
  for (const listener of listeners) listener();
}

const strangers = new Set<() => void>();

/** Another tab proved a password. Comes before anything that the returning window asks the server. */
addEventListener('focus', () => {
  const guestToken = storedGuestToken();
  if (guestToken === state.guestToken) return;
  state = { ...state, guestToken };
  for (const listener of listeners) listener();
});

/** Another tab signed in or out. */
addEventListener('storage', (event) => {
  if (event.key !== null && event.key !== tokenItem) return;
  const token = storedToken();
  const other = token !== state.token;
  state = { token, guestToken: storedGuestToken(), ended: state.ended && token === null };
  for (const listener of listeners) listener();
  if (other) for (const listener of strangers) listener();
});

/** Calls back when another tab has signed somebody in or out. */
export function watchOtherTabs(listener: () => void): () => void {
  strangers.add(listener);
  return () => strangers.delete(listener);
}

/** The state now. */
export function readSession(): SessionState {
  return state;
}

function watchSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSessionState(): SessionState {
  return useSyncExternalStore(watchSession, readSession);
}

/** The token to send with a call, `null` for a guest who has proved nothing. */
export function bearer(): string | null {
  return state.token ?? state.guestToken;
}

/** Somebody has signed in; what a guest had opened here is over. */
export function startSession(token: string): void {
  change({ token, guestToken: null, ended: false });
}

/** A guest has proved a password. */
export function keepGuestToken(token: string): void {
  if (state.token === null) change({ guestToken: token });
}

export function dropGuestToken(): void {
  change({ guestToken: null });
}

/** The server knows this session no more. What is on the screen stays there, for whoever signs in again. */
export function endSession(): void {
  change({ token: null, ended: true });
}

/** Signed out on purpose, or not wanting to sign in again. */
export function forgetSession(): void {
  change({ token: null, guestToken: null, ended: false });
}

/** The place that is shown now, with its parameters, as `navigate` takes it. */
export function currentPlace(): string {
  const parameters = parametersOf(location.search);
  const lists: Record<string, readonly string[]> = {};
  for (const name of new Set(parameters.keys())) lists[name] = parameters.getAll(name);
  return placeWith(pathOf(location.search), lists);
}

/** The sign-in screen, which leads back to `place` afterwards. */
export function signInPlace(place: string = currentPlace()): string {
  return placeWith('/login', { return: place === '/' ? null : place });
}

/** Where to go after signing in: what `signInPlace` was given, read from the sign-in screen's parameters. */
export function returnPlace(parameters: URLSearchParams): string {
  const place = parameters.get('return') ?? '';
  return place.startsWith('/') && !place.startsWith('/login') ? place : '/';
}
