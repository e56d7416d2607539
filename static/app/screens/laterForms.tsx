import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { CatchTyping } from '../components/CatchTyping';
import { SkeletonRows } from '../components/States';
import { isOpening } from '../navigation/location';
import { loadArea } from './areas';

type Forms = typeof import('./forms');

let forms: Forms | undefined;

/** Loads the forms, which the first screen does not need. */
export async function loadForms(): Promise<Forms> {
  [forms] = await Promise.all([import('./forms'), loadArea('main'), loadArea('account')]);
  return forms;
}

/**
 * A part of a screen that is loaded when it is first shown, with `fallback` in its place until then. If it is loaded,
 * it is there at once: React would show a lazy component, even a loaded one, only after 300 ms.
 */
export function later<Props extends object>(
  choose: (forms: Forms) => ComponentType<Props>,
  fallback?: ReactNode,
) {
  return function Later(props: Props) {
    const [Shown] = useState<ComponentType<Props>>(() =>
      forms === undefined ? lazy(async () => ({ default: choose(await loadForms()) })) : choose(forms),
    );
    return (
      <Suspense fallback={fallback}>
        <Shown {...props} />
      </Suspense>
    );
  };
}

function Opening() {
  return (
    <>
      {isOpening() && <CatchTyping />}
      <SkeletonRows />
    </>
  );
}

/** A screen that is loaded when it is first shown. */
export const screenOfForms = <Props extends object>(choose: (forms: Forms) => ComponentType<Props>) =>
  later(choose, <Opening />);
