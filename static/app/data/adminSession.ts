/**
 * The session of a server administrator in this browser: a token in local storage, under the name that ep_mypads 1.x
 * used. It is independent of a person's session, so that opening the administration signs nobody out.
 */
import { readItem, writeItem } from '../lib/storage';
import { createStore } from '../lib/store';

export interface AdminSession {
  token: string | null;
  /** The server has ended the session while a screen was open. The screen asks to sign in again. */
  ended: boolean;
}

const item = 'admToken';

const storedToken = (): string | null => readItem(item);

const state = createStore<AdminSession>({ token: storedToken(), ended: false });
/** Whether the server has accepted the token since the page was opened. */
let accepted = false;

function change(next: AdminSession): void {
  writeItem(item, next.token);
  state.set(next);
}

/** Another tab signed the administrator in or out. */
addEventListener('storage', (event) => {
  if (event.key !== null && event.key !== item) return;
  const token = storedToken();
  state.set({ token, ended: state.get().ended && token === null });
});

/** The current state. */
export const readAdminSession = state.get;
export const useAdminSession = state.use;

/** Stores the token of a sign-in. */
export function startAdminSession(token: string): void {
  accepted = true;
  change({ token, ended: false });
}

/** The server has answered a call with the current token. */
export function acceptAdminSession(): void {
  accepted = true;
}

/**
 * The server refuses the token. An open screen stays and asks to sign in again; a token of an earlier visit is dropped.
 */
export function endAdminSession(): void {
  change({ token: null, ended: accepted });
}

/** The administrator has signed out, or does not want to sign in again. */
export function forgetAdminSession(): void {
  accepted = false;
  change({ token: null, ended: false });
}
