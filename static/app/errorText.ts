import { useCallback } from 'react';
import { hasText, type Translate, useTranslation } from './i18n';

/** What an answer that is not a success says, as far as texts need it; data/client.ts throws such errors. */
interface Failure {
  key?: unknown;
  retryAfter?: unknown;
}

/** Texts of one's own by error key, where the usual one would be too general. */
export type ErrorTexts = Readonly<Record<string, string>>;

/** What went wrong, in a sentence that says what to do. Never an error key alone: an unknown one is named in brackets. */
export function errorText(t: Translate, error: unknown, texts: ErrorTexts = {}): string {
  const { key, retryAfter }: Failure = typeof error === 'object' && error !== null ? error : {};
  if (typeof key === 'string' && texts[key] !== undefined) return texts[key];
  if (key === 'BACKEND.ERROR.PERMISSION.TOO_MANY' && typeof retryAfter === 'number') {
    return t('error.tooMany', { count: Math.max(1, Math.ceil(retryAfter / 60)) });
  }
  if (typeof key === 'string' && hasText(key)) return t(key);
  if (typeof key === 'string' && key !== '') return t('error.unknown', { key });
  return t(navigator.onLine ? 'error.unreachable' : 'error.offline');
}

/** `errorText` in the current language. */
export function useErrorText(): (error: unknown, texts?: ErrorTexts) => string {
  const { t } = useTranslation();
  return useCallback((error, texts) => errorText(t, error, texts), [t]);
}
