import { ignoreSecondPress } from '../lib/secondPress';
import { createStore } from '../lib/store';

const open = createStore<readonly HTMLElement[]>([]);

/** Opens a modal dialog. Everything outside the one opened last is inert. Returns a function that closes it. */
export function openDialog(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  ignoreSecondPress();
  open.set([...open.get(), dialog]);
  return () => {
    dialog.close();
    ignoreSecondPress();
    open.set(open.get().filter((one) => one !== dialog));
  };
}

/** The dialog that was opened last, of those that are open. */
export const lastDialog = (): HTMLElement | undefined => open.get().at(-1);

/** The open modal dialogs, in the order in which they were opened. */
export const useOpenDialogs = open.use;
