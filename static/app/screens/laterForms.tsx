import { type ComponentType, lazy, useState } from 'react';
import { loadArea } from './areas';

type Forms = typeof import('./forms');

let forms: Forms | undefined;

/** Loads the forms, which the first screen does not need. */
export async function loadForms(): Promise<Forms> {
  [forms] = await Promise.all([import('./forms'), loadArea('main'), loadArea('account')]);
  return forms;
}

/**
 * A screen or dialog that is loaded when it is first shown. If it is loaded, it is there at once: React would show a
 * lazy component, even a loaded one, only after 300 ms.
 */
export function screenOfForms<Props extends object>(choose: (forms: Forms) => ComponentType<Props>) {
  const Lazy: ComponentType<Props> = lazy(async () => ({ default: choose(await loadForms()) }));
  return function Screen(props: Props) {
    const [Shown] = useState(() => (forms === undefined ? Lazy : choose(forms)));
    return <Shown {...props} />;
  };
}
