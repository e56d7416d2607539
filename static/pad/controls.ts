/**
 * Adapts Etherpad's controls to pads of folders: some lead to places that do not exist for these pads, or do something
 * that the server refuses.
 */

/** See hooks/padPage.ts. */
export interface PadPage {
  title: string;
  address: string;
  home: { address: string; label: string };
  canEmbed: boolean;
}

/** The URL of a path that is relative to Etherpad's root. The page of a pad is at `/p/<pad>`. */
const urlOf = (address: string): string => new URL(`../${address}`, window.location.href).href;

const isInApp = (): boolean => window.parent !== window;

const hide = (selector: string): void => {
  for (const element of document.querySelectorAll<HTMLElement>(selector)) element.style.display = 'none';
};

/** 2.x and 3.x have a button that leads to a page with all pads of the browser. Here it leads to the folder. */
function addHome({ home }: PadPage): void {
  const url = urlOf(home.address);
  let item = document.querySelector('#editbar [data-key="home"]');
  if (isInApp()) {
    // The app shows the way back above the editor.
    hide('#editbar [data-key="home"]');
    return;
  }
  if (!item) {
    item = document.createElement('li');
    item.setAttribute('data-key', 'home');
    const link = document.createElement('a');
    link.href = url;
    const button = document.createElement('button');
    button.className = 'buttonicon buttonicon-home';
    button.type = 'button';
    link.append(button);
    item.append(link);
    // In the place where later versions have this button.
    const people = document.querySelector('#editbar .menu_right [data-key="showusers"]');
    if (people) people.before(item);
    else document.querySelector('#editbar .menu_right')?.append(item);
  }
  const button = item.querySelector('button') ?? item;
  for (const name of ['title', 'aria-label']) button.setAttribute(name, home.label);
  button.removeAttribute('data-l10n-id');
  const open = (event: Event): void => {
    event.stopImmediatePropagation();
    event.preventDefault();
    window.location.href = url;
  };
  // In the capture phase, so that it runs before Etherpad's own listener.
  item.addEventListener('click', open, true);
}

/** The dialog "Share" shows the link that the app copies. Etherpad fills the field each time the dialog opens. */
function showOwnLinks({ address, canEmbed }: PadPage): void {
  if (!canEmbed) hide('#embedcode');
  const link = document.querySelector<HTMLInputElement>('#linkinput');
  const readOnly = document.querySelector<HTMLInputElement>('#readonlyinput');
  const fill = (): void => {
    if (link && !readOnly?.checked) link.value = urlOf(address);
  };
  for (const element of [document.querySelector('#editbar [data-key="embed"]'), readOnly]) {
    element?.addEventListener('click', () => window.setTimeout(fill, 0));
  }
  link?.addEventListener('focus', fill);
}

/** Adds a link to the app below Etherpad's message that the pad was removed. */
function offerWayBack({ home }: PadPage): void {
  const message = document.querySelector('#connectivity .deleted');
  if (!message || isInApp()) return;
  const paragraph = document.createElement('p');
  const link = document.createElement('a');
  link.href = urlOf(home.address);
  link.textContent = home.label;
  paragraph.append(link);
  message.append(paragraph);
}

export function adaptControls(page: PadPage): void {
  // Pads of folders are removed in the app. The server ignores these.
  hide('#delete-pad, #delete-pad-with-token');
  addHome(page);
  showOwnLinks(page);
  offerWayBack(page);
}
