/** Rules that several forms check before they send anything. The server checks the same and more. */
import type { Translate } from './i18n';

/** Whether this may be an e-mail address. */
export function looksLikeEmail(text: string): boolean {
  return /^\S+@\S+\.\S+$/.test(text.trim());
}

interface NewPassword {
  password: string;
  passwordConfirm: string;
}

/** The errors of a new password that is typed twice. `rule`: the settings with its shortest and longest length. */
export function newPasswordErrors(
  { password, passwordConfirm }: NewPassword,
  { passwordMin: least, passwordMax: most }: { passwordMin: number; passwordMax: number },
  t: Translate,
): Partial<NewPassword> {
  const fits = password.length >= least && password.length <= most;
  if (!fits) return { password: t('form.password.size', { least, most }) };
  return password === passwordConfirm ? {} : { passwordConfirm: t('USER.ERR.PASSWORD_MISMATCH') };
}
