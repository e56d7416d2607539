/** Runs inside the editor, as client hooks of Etherpad. */

declare global {
  interface Window {
    clientVars?: { readonly?: boolean };
  }
}

/**
 * The server sends EP_MYPADS_DOOR to somebody whose rights in this pad have just changed, right before it
 * hangs up. Loading the page again asks the door again: the editor comes back in the right mode, or the app says what is missing.
 */
export function handleClientMessage_EP_MYPADS_DOOR(): void {
  if (window.parent !== window) {
    window.parent.postMessage({ ep_mypads: 'door', path: window.location.pathname }, window.location.origin);
  }
  window.location.reload();
}

/**
 * A reader gets no tools to write with. Etherpad leaves them away only where the address is a read-only one; ours are readers by what
 * the server says. Hidden, they still take their room, so that the other tools stay where they are.
 */
export function postAceInit(): void {
  const tools = document.querySelector<HTMLElement>('#editbar .menu_left');
  if (window.clientVars?.readonly && tools) tools.style.visibility = 'hidden';
}
