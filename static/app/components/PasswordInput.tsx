import { type InputHTMLAttributes, useState } from 'react';
import { useTranslation } from '../texts/i18n';
import { IconButton } from './Button';
import { classNames } from './classNames';
import { useFieldIds } from './Field';
import styles from './Input.module.css';
import { HideIcon, ShowIcon } from './icons';

/**
 * A password input with a button that shows the password, and a hint when Caps Lock is on. `autoComplete` must be
 * `current-password` or `new-password`.
 */
export function PasswordInput({
  className,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & { autoComplete: string }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  return (
    <span className={styles.frame}>
      <span className={styles.frame}>
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...useFieldIds()}
          {...rest}
          type={shown ? 'text' : 'password'}
          className={classNames(styles.input, styles.password, className)}
          onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
          onBlur={() => setCapsLock(false)}
        />
        <IconButton
          className={styles.show}
          small
          label={shown ? t('form.password.hide') : t('form.password.show')}
          icon={shown ? <HideIcon /> : <ShowIcon />}
          onClick={() => setShown(!shown)}
        />
      </span>
      <span role="status">
        {capsLock && <span className={styles.caps}>{t('form.password.capsLock')}</span>}
      </span>
    </span>
  );
}
