import { useEffect } from 'react';

/**
 * The second press of a double click does nothing where the first one has opened or closed a screen, a dialog or a
 * menu, or has removed a row, whose place another has taken.
 */
let changed = false;

/** Call it when something has opened or gone, perhaps by a press. */
export function ignoreSecondPress(): void {
  changed = true;
}

/** For what can go when it is pressed: the next one takes its place, or what was below it appears. */
export const useIgnoreSecondPress = (): void => useEffect(() => ignoreSecondPress, []);

for (const type of ['mousedown', 'click'] as const)
  addEventListener(
    type,
    (event) => {
      if (event.detail < 2) changed &&= type === 'click';
      else if (changed) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    true,
  );

// A held Enter presses again and again, also what the first press has opened or given the focus to.
addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Enter' || !event.repeat || event.target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);
