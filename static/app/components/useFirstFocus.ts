import { useLayoutEffect } from 'react';

/**
 * Gives the focus to the field with this id when it is first shown, for forms that are loaded after their dialog. On a
 * touch screen the keyboard would cover the dialog.
 */
export function useFirstFocus(id: string, wanted = true): void {
  // Before what was typed meanwhile is written into it.
  useLayoutEffect(() => {
    if (!wanted || !matchMedia('(pointer: fine)').matches) return;
    const field = document.getElementById(id);
    field?.focus();
    // A form that is loaded already is there before its dialog opens, and nothing in that can have the focus yet.
    if (document.activeElement !== field) queueMicrotask(() => field?.focus());
  }, [id, wanted]);
}
