import { useTranslation } from '../texts/i18n';

/** What was typed and has no field yet. */
let typed = '';

/** Writes it into the field that has the focus now. */
function writeOut(): void {
  const field = document.activeElement;
  if (field === document.body) document.querySelector<HTMLElement>('dialog[open] button')?.focus();
  if ((field as HTMLInputElement).value === '') document.execCommand('insertText', false, typed);
  typed = '';
}

const takesTyping = (field: HTMLInputElement | null) => {
  if (!field || !matchMedia('(pointer: fine)').matches) return;
  field.value = typed;
  field.focus();
  return () => {
    typed = field.value;
    // By then the screen has given the focus to its first field.
    setTimeout(writeOut);
  };
};

/**
 * Takes what is typed while a screen or dialog is being loaded. Its first field gets it, so that no letter is lost or
 * becomes a shortcut. Not on touch screens, where the keyboard would appear.
 */
export function CatchTyping() {
  const { t } = useTranslation();
  return <input ref={takesTyping} data-first aria-label={t('state.loading')} className="visually-hidden" />;
}
