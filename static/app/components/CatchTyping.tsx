import { handOver } from '../lib/handOver';
import { useTranslation } from '../texts/i18n';
import { keepFocus } from './keepFocus';

const takesTyping = (forDialog: boolean) => (field: HTMLInputElement | null) => {
  if (!field || !matchMedia('(pointer: fine)').matches) return;
  const before = document.activeElement;
  field.focus();
  return () => {
    // When a dialog closes, the focus returns to what had it when the dialog opened.
    if (forDialog && before instanceof HTMLElement) before.focus({ preventScroll: true });
    handOver(field.value, keepFocus);
  };
};

const takesForDialog = takesTyping(true);
const takesForScreen = takesTyping(false);

export interface CatchTypingProps {
  /** A dialog is being loaded. */
  forDialog?: boolean;
}

/**
 * Takes what is typed while a screen or dialog is being loaded. Its first field gets it, so that no letter is lost or
 * becomes a shortcut. Not on touch screens, where the keyboard would appear.
 */
export function CatchTyping({ forDialog = false }: CatchTypingProps) {
  const { t } = useTranslation();
  return (
    <input
      ref={forDialog ? takesForDialog : takesForScreen}
      data-first
      aria-label={t('state.loading')}
      className="visually-hidden"
    />
  );
}
