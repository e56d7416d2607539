/** Client hooks of Etherpad. They run in the editor's page. */
import { noteClosed } from '../app/editorFrame/closedEditor';
import type { EditorMessage } from '../app/editorFrame/frameEvents';
import { pressedKey } from '../app/lib/pressedKey';
import { type AuthorStyle, setAuthorStyle } from './authorColours';
import { adaptControls, adaptToReader, type PadPage, updatePage } from './controls';
import { focusText, type TextEditor } from './focus';
import { printWholeText } from './print';
import { forgetPad } from './recentPads';
import { followTheme, prepareTheme, showTheme } from './theme';

declare global {
  interface Window {
    clientVars?: {
      readonly?: boolean;
      skinVariants?: string;
      /** Not in 1.8.14. */
      enableDarkMode?: boolean;
      ep_mypads?: { page?: PadPage; fixedName?: true; readableColours?: true };
    };
    /** Etherpad's toolbar. */
    padeditbar?: { dropdowns?: unknown[] };
  }
}

// Etherpad 2.x and 3.x load this file on the server too, to list the hooks in the administration.
if (typeof document !== 'undefined') followTheme();

/** Adds no style sheet. Etherpad calls it right before it creates the documents of the text. */
export function aceEditorCSS(): string[] {
  prepareTheme();
  return [];
}

/** Etherpad sets the style of an author itself if no plugin returns true. */
export function aceSetAuthorStyle(_hook: string, style: AuthorStyle): boolean {
  return window.clientVars?.ep_mypads?.readableColours !== true && setAuthorStyle(style);
}

/** The open pad. Missing until the editor is ready. */
let openPad: Pad | undefined;

/**
 * The server sends EP_MYPADS_ACCESS_CHANGED when the access of this person has changed, and disconnects the editor. A
 * reload repeats the access check. In a frame, the app decides when to reload: if the session has ended, the text stays
 * visible until the person signs in.
 */
export function handleClientMessage_EP_MYPADS_ACCESS_CHANGED(): void {
  noteClosed(true);
  if (window.parent === window || openPad === undefined) {
    tellApp('access');
    window.location.reload();
    return;
  }
  stopEditing(openPad);
  tellApp('access', { unsaved: hasUnsavedText(openPad) });
  reloadTimer = window.setTimeout(() => window.location.reload(), longestWait);
}

/**
 * Pad or folder has another name, the pad was moved, or the person may change it now, or no longer. `within`:
 * milliseconds for the app to read it again. `moved`: to another folder, and the person may see one of the two.
 */
export function handleClientMessage_EP_MYPADS_PAGE_CHANGED(
  _hook: string,
  { payload }: { payload?: { page: PadPage; within: number; moved: boolean } } = {},
): void {
  if (payload && updatePage(payload.page, payload.moved)) tellApp('page', { within: payload.within });
}

/** Milliseconds until the editor reloads without an answer of the app. */
const longestWait = 10_000;
let reloadTimer = 0;

/** Stops Etherpad's connection. Otherwise Etherpad would connect again and cover the text with a message. */
function stopEditing({ socket }: Pad): void {
  socket?.off('disconnect');
  socket?.disconnect();
  const text = textDocument()?.body;
  if (!text) return;
  const forbid = (): void => {
    if (text.contentEditable !== 'false') text.contentEditable = 'false';
  };
  forbid();
  // Etherpad sets it again when it notices what was typed right before.
  new MutationObserver(forbid).observe(text, { attributeFilter: ['contenteditable'] });
}

/** Sends a message to the app, if the app shows this editor in a frame. */
function tellApp(what: EditorMessage['ep_mypads'], more: Omit<EditorMessage, 'ep_mypads'> = {}): void {
  if (window.parent === window) return;
  const message = { ep_mypads: what, path: window.location.pathname, ...more };
  window.parent.postMessage(message, window.location.origin);
}

/** Opens the palette of the app before the next key, which would get into the text while a message is on its way. */
function openPalette(): void {
  const app = window.frameElement?.ownerDocument.defaultView;
  const data: EditorMessage = { ep_mypads: 'palette' };
  app?.dispatchEvent(new MessageEvent('message', { data, origin: window.location.origin }));
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

/** F6 moves the focus to the newest message of the app. Without a message, the key is the browser's. */
function toMessage(event: KeyboardEvent): void {
  const key = new KeyboardEvent('keydown', { key: event.key, cancelable: true });
  if (window.frameElement?.ownerDocument.defaultView?.dispatchEvent(key) === false) event.preventDefault();
}

/**
 * Passes keys on to the app, which does not get keys pressed in a frame: Escape ends its full-window view, Ctrl+K or
 * Cmd+K opens its palette, F6 goes to its newest message.
 */
function passKeysOn(): void {
  const inApp = window.parent !== window;
  for (const source of [document, textDocument()]) {
    source?.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') tellApp('escape');
      if (event.key === 'F6') toMessage(event);
      const command = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!inApp || !command || pressedKey(event) !== 'k') return;
      event.preventDefault();
      openPalette();
    });
  }
}

interface Pad {
  socket?: {
    off(event: 'disconnect'): unknown;
    disconnect(): unknown;
    /** Not in 1.8.14. The listener is called before all others. */
    onAny?(listener: (event: string, message?: { disconnect?: unknown }) => void): unknown;
  };
  collabClient?: { getMissedChanges?(): { committedChangeset?: unknown; furtherChangeset?: unknown } };
}

/** The messages with which Etherpad says that it has stopped trying to connect. It then waits for a click. */
const gaveUp = '#connectivity .disconnected.visible, #connectivity .initsocketfail.visible';

/** The message with which Etherpad says that the pad was removed. */
const removed = '#connectivity .deleted.visible';

/** The message with which Etherpad says that the same author has opened the pad in another window. */
const elsewhere = '#connectivity .userdup.visible';

/** Whether the editor has text that the server does not have. */
function hasUnsavedText({ collabClient }: Pad): boolean {
  const missed = collabClient?.getMissedChanges?.();
  return missed === undefined || Boolean(missed.committedChangeset ?? missed.furtherChangeset);
}

/** What a message of Etherpad on the screen means for the app. */
function stateShown(): 'access' | 'elsewhere' | 'disconnected' | undefined {
  const denied = document.querySelector<HTMLElement>('#permissionDenied');
  if (document.querySelector(removed) || denied?.getClientRects().length) return 'access';
  if (document.querySelector(elsewhere)) return 'elsewhere';
  return document.querySelector(gaveUp) ? 'disconnected' : undefined;
}

/**
 * Tells the app when Etherpad says that the pad is removed, denied, open in another window, or cannot be reached. The
 * app then shows the reason, or waits for the server and lets this script reload the editor. An editor with unsaved
 * text stays, so that the text can be copied.
 */
function followApp(pad: Pad): void {
  let told: string | undefined;
  const observer = new MutationObserver(() => {
    const now = stateShown();
    if (now && now !== told) tellApp(now, { unsaved: hasUnsavedText(pad) });
    told = now;
  });
  for (const messages of document.querySelectorAll('#connectivity, #permissionDenied')) {
    observer.observe(messages, { subtree: true, attributes: true, attributeFilter: ['class', 'style'] });
  }
  window.addEventListener('message', ({ origin, source, data }) => {
    if (origin !== window.location.origin || source !== window.parent) return;
    if (data?.ep_mypads === 'hold') window.clearTimeout(reloadTimer);
    if (data?.ep_mypads === 'reload') window.location.reload();
    if (data?.ep_mypads !== 'reconnect') return;
    if (document.querySelector(gaveUp) && !hasUnsavedText(pad)) window.location.reload();
  });
}

/**
 * Keeps the reason on the screen when the server ends the connection, such as the removal of the pad. 2.x and 3.x take
 * the end for a lost connection and replace the reason with "Reconnecting…" for ever.
 */
function keepReason({ socket }: Pad): void {
  socket?.onAny?.((event, message) => {
    if (event === 'message' && message?.disconnect) socket.off('disconnect');
  });
}

/** Where people have the name of their account, it cannot be changed in the pad. The server would not accept it. */
function fixName(): void {
  const field = document.querySelector<HTMLInputElement>('#myusernameedit');
  if (window.clientVars?.ep_mypads?.fixedName && field) field.readOnly = true;
}

/**
 * Another tab may open the pad while this one still loads. Etherpad then ends the connection here, and says so before
 * the editor is ready.
 */
export function documentReady(): void {
  // 1.8.14 uses this list for each message, and creates it only with the toolbar: it would show a TypeError instead.
  if (window.padeditbar) window.padeditbar.dropdowns ??= [];
  const messages = document.querySelector('#connectivity');
  if (!messages) return;
  const observer = new MutationObserver(() => {
    if (openPad !== undefined) observer.disconnect();
    else if (document.querySelector(elsewhere)) tellApp('elsewhere', { unsaved: false });
  });
  observer.observe(messages, { subtree: true, attributes: true, attributeFilter: ['class'] });
}

/** Adapts the page to the pad and to the access of the person. */
export function postAceInit(_hook: string, { ace, pad }: { ace?: TextEditor; pad?: Pad } = {}): void {
  noteClosed(false);
  showTheme();
  focusText(ace, () => tellApp('ready'));
  passKeysOn();
  openPad = pad;
  followApp(pad ?? {});
  keepReason(pad ?? {});
  const page = window.clientVars?.ep_mypads?.page;
  if (page) {
    adaptControls(page);
    forgetPad();
  }
  fixName();
  printWholeText(() => textDocument()?.body);
  if (window.clientVars?.readonly) adaptToReader();
}
