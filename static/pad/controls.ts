/**
 * Adapts Etherpad's controls to pads of folders: some lead to places that do not exist for these pads, or do something
 * that the server refuses.
 */

import { textOf } from './texts';

declare global {
  interface Window {
    /** Etherpad's jQuery, with its messages in the corner. */
    $?: { gritter?: { add(message: { text: Element; sticky: boolean }): unknown } };
  }
}

/** See hooks/padPage.ts. */
export interface PadPage {
  title: string;
  address: string;
  home: { address: string; label: string };
  canEmbed: boolean;
  canChange: boolean;
}

/** The URL of a path that is relative to Etherpad's root. The page of a pad is at `/p/<pad>`. */
const urlOf = (address: string): string => new URL(`../${address}`, window.location.href).href;

const isInApp = (): boolean => window.parent !== window;

/** What the controls show. The server sends another page when something of it changes. */
let page: PadPage | undefined;

/** Updates what depends on the page. */
const updates: (() => void)[] = [];

/** Calls `update` now and whenever the page changes. */
function keepUpdated(update: (now: PadPage) => void): void {
  const run = (): void => {
    if (page) update(page);
  };
  updates.push(run);
  run();
}

const hide = (selector: string): void => {
  for (const element of document.querySelectorAll<HTMLElement>(selector)) element.style.display = 'none';
};

/** The button "home" with its link. Etherpad 1.8.14 has none. */
function homeItem(): { item: Element; link?: HTMLAnchorElement } {
  const existing = document.querySelector('#editbar [data-key="home"]');
  if (existing) return { item: existing };
  const item = document.createElement('li');
  item.setAttribute('data-key', 'home');
  const link = document.createElement('a');
  const button = document.createElement('button');
  button.className = 'buttonicon buttonicon-home';
  button.type = 'button';
  link.append(button);
  item.append(link);
  // In the place where later versions have this button.
  const people = document.querySelector('#editbar .menu_right [data-key="showusers"]');
  if (people) people.before(item);
  else document.querySelector('#editbar .menu_right')?.append(item);
  return { item, link };
}

/** 2.x and 3.x have a button that leads to a page with all pads of the browser. Here it leads to the folder. */
function addHome(): void {
  if (isInApp()) {
    // The app shows the way back above the editor.
    hide('#editbar [data-key="home"]');
    return;
  }
  const { item, link } = homeItem();
  const button = item.querySelector('button') ?? item;
  button.removeAttribute('data-l10n-id');
  keepUpdated(({ home }) => {
    for (const name of ['title', 'aria-label']) button.setAttribute(name, home.label);
    if (link) link.href = urlOf(home.address);
  });
  const open = (event: Event): void => {
    event.stopImmediatePropagation();
    event.preventDefault();
    if (page) window.location.href = urlOf(page.home.address);
  };
  // In the capture phase, so that it runs before Etherpad's own listener.
  item.addEventListener('click', open, true);
}

/**
 * The app has buttons of its own for Share and, with another meaning, a star. Its menu presses these
 * (static/app/screens/padView/PadMenu.tsx).
 */
function hideDoubled(): void {
  if (isInApp()) hide('#editbar [data-key="embed"], #editbar [data-key="savedRevision"]');
}

/** The dialog "Share" shows the link that the app copies. Etherpad fills the field each time the dialog opens. */
function showOwnLinks(): void {
  const link = document.querySelector<HTMLInputElement>('#linkinput');
  const readOnly = document.querySelector<HTMLInputElement>('#readonlyinput');
  const embed = document.querySelector<HTMLElement>('#embedcode');
  const fill = (): void => {
    if (page && link && !readOnly?.checked) link.value = urlOf(page.address);
  };
  for (const element of [document.querySelector('#editbar [data-key="embed"]'), readOnly]) {
    element?.addEventListener('click', () => window.setTimeout(fill, 0));
  }
  link?.addEventListener('focus', fill);
  keepUpdated(({ canEmbed }) => {
    if (embed) embed.style.display = canEmbed ? '' : 'none';
    if (link?.value) fill();
  });
}

/** Adds a link to the app below Etherpad's messages that the pad was removed, and that access is denied. */
function offerWayBack(): void {
  if (isInApp()) return;
  for (const message of document.querySelectorAll('#connectivity .deleted, #permissionDenied')) {
    const paragraph = document.createElement('p');
    const link = document.createElement('a');
    paragraph.append(link);
    // Etherpad centres the text of the denial above it.
    if (message.id === 'permissionDenied') paragraph.style.textAlign = 'center';
    message.append(paragraph);
    keepUpdated(({ home }) => {
      link.href = urlOf(home.address);
      link.textContent = home.label;
    });
  }
}

/** `undefined` for people who may not see the folder. */
const folderOf = ({ home }: PadPage): PadPage['home'] | undefined =>
  home.address === 'mypads/' ? undefined : home;

/** A move that the server does not tell, because the editor was not connected. */
function isMoveMissed(before: PadPage, now: PadPage): boolean {
  const [former, present] = [folderOf(before)?.address, folderOf(now)?.address];
  return former !== undefined && present !== undefined && former !== present;
}

/** What was said about the last move. Another move replaces the text of a message that is still there. */
let moveMessage: HTMLElement | undefined;

/** People may be writing for others than before, so the message stays until they close it. */
function sayMoved(folder: string | undefined): void {
  const message = moveMessage?.isConnected ? moveMessage : document.createElement('p');
  message.textContent =
    folder === undefined
      ? textOf('editor.moved')
      : textOf('editor.movedTo').replace('{{folder}}', () => folder);
  if (message === moveMessage) return;
  moveMessage = message;
  message.setAttribute('role', 'alert');
  window.$?.gritter?.add({ text: message, sticky: true });
}

/** Returns false if nothing is different from the page that is shown. */
export function updatePage(next: PadPage, moved = false): boolean {
  if (JSON.stringify(next) === JSON.stringify(page)) return false;
  // The app says it above the editor.
  if (page && (moved || isMoveMissed(page, next)) && !isInApp()) sayMoved(folderOf(next)?.label);
  page = next;
  document.title = next.title;
  for (const update of updates) update();
  return true;
}

export function adaptControls(first: PadPage): void {
  updatePage(first);
  // Pads of folders are removed in the app. The server ignores these.
  hide('#delete-pad, #delete-pad-with-token');
  addHome();
  hideDoubled();
  showOwnLinks();
  offerWayBack();
}

/**
 * Hides from readers what the server does not do for them. Etherpad hides some of it, and only at read-only addresses;
 * our server can make anybody a reader.
 */
export function adaptToReader(): void {
  // 2.7 hides all tools on the right from readers, also the way back to the folder. Other versions do not.
  const right = document.querySelector<HTMLElement>('#editbar .menu_right');
  if (page && right && !new URLSearchParams(window.location.search).has('showMenuRight'))
    right.style.display = '';
  const tools = document.querySelector<HTMLElement>('#editbar .menu_left');
  // Keeps its space, so that the other tools do not move.
  if (tools) tools.style.visibility = 'hidden';
  hide('#editbar [data-key="savedRevision"], #editbar [data-key="savedrevision"]');
  // 3.x offers to hide the chat, which readers do not have.
  const chat = document.querySelector('#options-disablechat')?.parentElement;
  if (chat) chat.style.display = 'none';
  const colour = document.querySelector<HTMLElement>('#myswatchbox');
  if (colour) colour.inert = true;
  const others = document.querySelector('#otherusers');
  const disable = (): void => {
    for (const name of others?.querySelectorAll('input') ?? []) name.disabled = true;
  };
  disable();
  if (others) new MutationObserver(disable).observe(others, { childList: true, subtree: true });
}
