import { useCallback } from 'react';
import { hasText, type Translate, useTranslation } from './i18n';

/** The fields of an error answer that texts need. data/client.ts throws such errors. */
interface Failure {
  key?: unknown;
  retryAfter?: unknown;
}

/** Texts by error key that replace the general ones. */
export type ErrorTexts = Readonly<Record<string, string>>;

/** A sentence that says what went wrong and what to do. Unknown error keys are added in brackets. */
function errorText(t: Translate, error: unknown, texts: ErrorTexts = {}): string {
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
