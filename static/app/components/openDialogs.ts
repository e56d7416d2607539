import { useSyncExternalStore } from 'react';
import { createListeners } from '../lib/listeners';

const { notify, subscribe } = createListeners();
let open: readonly HTMLElement[] = [];

/** Opens a modal dialog. Everything outside the one opened last is inert. Returns a function that closes it. */
export function openDialog(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  open = [...open, dialog];
  notify();
  return () => {
    dialog.close();
    open = open.filter((one) => one !== dialog);
    notify();
  };
}

/** The dialog that was opened last, of those that are open. */
export const lastDialog = (): HTMLElement | undefined => open.at(-1);

/** The open modal dialogs, in the order in which they were opened. */
export const useOpenDialogs = (): readonly HTMLElement[] => useSyncExternalStore(subscribe, () => open);
