import { createStore } from '../lib/store';

const printing = createStore(false);

addEventListener('beforeprint', () => printing.set(true));
addEventListener('afterprint', () => printing.set(false));

/** Whether the page is being printed. Lists are printed as a whole, because paper has no next page of a list. */
export const usePrinting = printing.use;
