import { readItem, writeItem } from '../../lib/storage';

/** The way in which somebody has last signed in with this browser: the name of a service, or `password`. */
const item = 'mypads_method';

export const lastMethod = (): string | undefined => readItem(item) ?? undefined;

export function rememberMethod(name: string): void {
  writeItem(item, name);
}
