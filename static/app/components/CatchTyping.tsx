import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from '../texts/i18n';
import { keepFocus } from './keepFocus';

/** What was typed and has no field yet. */
let typed = '';

/** Writes it into the field that has the focus now. */
function writeOut(): void {
  const field = document.activeElement;
  if (field === document.body) document.querySelector<HTMLElement>('dialog[open] button')?.focus();
  if (typed !== '' && (field as HTMLInputElement).value === '')
    document.execCommand('insertText', false, typed);
  typed = '';
  keepFocus();
}

/**
 * Takes what is typed while a screen or dialog is being loaded. Its first field gets it, so that no letter is lost or
 * becomes a shortcut. Not on touch screens, where the keyboard would appear.
 */
export function CatchTyping() {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const { current } = field;
    if (current === null || !matchMedia('(pointer: fine)').matches) return;
    current.value = typed;
    current.focus();
    return () => {
      typed = current.value;
      // By then the screen has given the focus to its first field.
      setTimeout(writeOut);
    };
  }, []);
  return <input ref={field} data-first aria-label={t('state.loading')} className="visually-hidden" />;
}
