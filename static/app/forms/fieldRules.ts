/** Rules that several forms of accounts check before they send anything. The server checks these and more. */
import { mailAddress } from '../../../model/mail/address';
import type { Translate } from '../texts/i18n';

/** The error of a field for an e-mail address: there must be one that the server takes. */
export function emailError(text: string, t: Translate): string | undefined {
  if (text.trim() === '') return t('account.email.required');
  return mailAddress(text.trim()) === undefined ? t('BACKEND.ERROR.TYPE.MAIL') : undefined;
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
