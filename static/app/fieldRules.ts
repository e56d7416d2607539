/** Rules that several forms check before they send anything. The server checks these and more. */
import { mailAddress } from '../../model/mail/address';
import type { Translate } from './i18n';

/** Whether the server takes this as an e-mail address. */
export function looksLikeEmail(text: string): boolean {
  return mailAddress(text.trim()) !== undefined;
}

/** Whether a private folder or pad still needs a password. `kept`: it has one, which stays if none is typed. */
export function lacksPassword(
  { visibility, password }: { visibility: unknown; password: string },
  kept: boolean,
): boolean {
  return visibility === 'private' && password === '' && !kept;
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
