/**
 * The session of a server administrator in this browser: a token in local storage, under the name that ep_mypads 1.x
 * used. It is independent of a person's session, so that opening the administration signs nobody out.
 */
import { useSyncExternalStore } from 'react';
import { createListeners } from '../lib/listeners';
import { readItem, writeItem } from '../lib/storage';

export interface AdminSession {
  token: string | null;
  /** The server has ended the session while a screen was open. The screen asks to sign in again. */
  ended: boolean;
}

const item = 'admToken';

const storedToken = (): string | null => readItem(item);

let state: AdminSession = { token: storedToken(), ended: false };
/** Whether the server has accepted the token since the page was opened. */
let accepted = false;
const { notify, subscribe } = createListeners();

function change(next: AdminSession): void {
  state = next;
  writeItem(item, next.token);
  notify();
}

/** Another tab signed the administrator in or out. */
addEventListener('storage', (event) => {
  if (event.key !== null && event.key !== item) return;
  const token = storedToken();
  state = { token, ended: state.ended && token === null };
  notify();
});

/** The current state. */
export function readAdminSession(): AdminSession {
  return state;
}

export function useAdminSession(): AdminSession {
  return useSyncExternalStore(subscribe, readAdminSession);
}

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
