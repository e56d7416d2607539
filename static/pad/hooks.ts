/**
 * Runs inside the editor. The server sends EP_MYPADS_DOOR to somebody whose rights in this pad have just changed, right before it
 * hangs up. Loading the page again asks the door again: the editor comes back in the right mode, or the app says what is missing.
 */
export function handleClientMessage_EP_MYPADS_DOOR(): void {
  if (window.parent !== window) {
    window.parent.postMessage({ ep_mypads: 'door', path: window.location.pathname }, window.location.origin);
  }
  window.location.reload();
}
