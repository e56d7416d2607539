/** Client hooks of Etherpad. They run in the editor's page. */
import { followTheme, prepareTheme, showTheme } from './theme';

declare global {
  interface Window {
    clientVars?: {
      readonly?: boolean;
      skinVariants?: string;
      /** Not in 1.8.14. */
      enableDarkMode?: boolean;
      ep_mypads?: { title?: string };
    };
  }
}

// The server of 2.x and 3.x loads this file too, to list the hooks on its administration page.
if (typeof document !== 'undefined') followTheme();

/** Asks for further style sheets, and is called right before the documents of the text are made. */
export function aceEditorCSS(): string[] {
  prepareTheme();
  return [];
}

/** The open pad. Missing until the editor is ready. */
let openPad: Pad | undefined;

/**
 * The server sends EP_MYPADS_DOOR when this person's access to the pad has changed, and then disconnects the editor.
 * Reloading the page repeats the access check: the editor returns in the right mode, or the app explains the refusal.
 * Around a ready editor, the app decides when: if the session has ended, the text stays visible until somebody signs in.
 */
export function handleClientMessage_EP_MYPADS_DOOR(): void {
  if (window.parent === window || openPad === undefined) {
    tellApp('door');
    window.location.reload();
    return;
  }
  stopEditing(openPad);
  tellApp('door', { unsaved: hasUnsavedText(openPad) });
  reloadTimer = window.setTimeout(() => window.location.reload(), longestWait);
}

/** Milliseconds until the editor reloads without an answer of the app. */
const longestWait = 10_000;
let reloadTimer = 0;

/** Takes the socket away from Etherpad, which would connect again and cover the text with a refusal. */
function stopEditing({ socket }: Pad): void {
  socket?.off('disconnect');
  socket?.disconnect();
  const text = textDocument()?.body;
  if (text) text.contentEditable = 'false';
}

/** Sends a message to the app, if the app shows this editor in a frame. */
function tellApp(
  what: 'door' | 'escape' | 'palette' | 'disconnected' | 'people',
  more: { unsaved?: boolean } = {},
): void {
  if (window.parent === window) return;
  const message = { ep_mypads: what, path: window.location.pathname, ...more };
  window.parent.postMessage(message, window.location.origin);
}

/** Somebody has opened the pad, or has another name or colour. */
export function handleClientMessage_USER_NEWINFO(): void {
  tellApp('people');
}

export function handleClientMessage_USER_LEAVE(): void {
  tellApp('people');
}

/** The document in which people type. It is in a frame inside a frame of the editor's page. */
function textDocument(): Document | null | undefined {
  const outer = document.querySelector<HTMLIFrameElement>('iframe[name="ace_outer"]')?.contentDocument;
  return outer?.querySelector<HTMLIFrameElement>('iframe[name="ace_inner"]')?.contentDocument;
}

/**
 * Passes keys on to the app, which does not get keys pressed in a frame: Escape ends its full-window view, Ctrl+K or
 * Cmd+K opens its palette.
 */
function passKeysOn(): void {
  const inApp = window.parent !== window;
  for (const source of [document, textDocument()]) {
    source?.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') tellApp('escape');
      const command = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!inApp || !command || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      tellApp('palette');
    });
  }
}

interface Pad {
  socket?: { off(event: 'disconnect'): unknown; disconnect(): unknown };
  collabClient?: { getMissedChanges?(): { committedChangeset?: unknown; furtherChangeset?: unknown } };
}

/** The messages with which Etherpad says that it has given up to connect. It then waits for a click. */
const gaveUp = '#connectivity .disconnected.visible, #connectivity .initsocketfail.visible';

/** Whether the editor has text that the server does not. */
function hasUnsavedText({ collabClient }: Pad): boolean {
  const missed = collabClient?.getMissedChanges?.();
  return missed === undefined || Boolean(missed.committedChangeset ?? missed.furtherChangeset);
}

/**
 * Follows the app. When Etherpad has given up to connect, the app asks the server until it answers, and then this script loads the editor
 * anew. Not with unsaved text: it stays visible, so that it can be copied, below Etherpad's question to reconnect.
 */
function followApp(pad: Pad): void {
  const messages = document.querySelector('#connectivity');
  let told = false;
  const observer = new MutationObserver(() => {
    const now = document.querySelector(gaveUp) !== null;
    if (now && !told) tellApp('disconnected');
    told = now;
  });
  if (messages) observer.observe(messages, { subtree: true, attributes: true, attributeFilter: ['class'] });
  window.addEventListener('message', ({ origin, source, data }) => {
    if (origin !== window.location.origin || source !== window.parent) return;
    if (data?.ep_mypads === 'hold') window.clearTimeout(reloadTimer);
    if (data?.ep_mypads === 'reload') window.location.reload();
    if (data?.ep_mypads !== 'reconnect') return;
    if (document.querySelector(gaveUp) && !hasUnsavedText(pad)) window.location.reload();
  });
}

/**
 * Sets the title of the tab, and hides the formatting tools from readers. Etherpad does this only for read-only addresses, but our server can make a
 * reader of anybody. `visibility` keeps their space, so that the other tools stay where they are.
 */
export function postAceInit(_hook: string, { pad }: { pad?: Pad } = {}): void {
  showTheme();
  passKeysOn();
  openPad = pad;
  followApp(pad ?? {});
  document.title = window.clientVars?.ep_mypads?.title ?? document.title;
  const tools = document.querySelector<HTMLElement>('#editbar .menu_left');
  if (window.clientVars?.readonly && tools) tools.style.visibility = 'hidden';
}
