import { handOver } from '../lib/handOver';
import { useTranslation } from '../texts/i18n';
import { keepFocus } from './keepFocus';

const takesTyping = (field: HTMLInputElement | null) => {
  if (!field || !matchMedia('(pointer: fine)').matches) return;
  field.focus();
  return () => handOver(field.value, keepFocus);
};

/**
 * Takes what is typed while a screen or dialog is being loaded. Its first field gets it, so that no letter is lost or
 * becomes a shortcut. Not on touch screens, where the keyboard would appear.
 */
export function CatchTyping() {
  const { t } = useTranslation();
  return <input ref={takesTyping} data-first aria-label={t('state.loading')} className="visually-hidden" />;
}
