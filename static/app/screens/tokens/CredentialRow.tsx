import type { ReactNode } from 'react';
import { Button } from '../../components/Button';
import { TimeText } from '../../components/RelativeTime';
import { useTranslation } from '../../texts/i18n';
import styles from './Tokens.module.css';

export interface CredentialRowProps {
  name: string;
  /** Beside the name. */
  mark?: ReactNode;
  /** Between the name and when it was used. */
  children?: ReactNode;
  /** Times in milliseconds since 1970; `null`: never. */
  lastUsed: number | null;
  created: number;
  /** The text of the button that takes it away. */
  action: string;
  onAction: () => void;
}

/** Something by which an account can be used, in a list: a token of a program, or a second factor. */
export function CredentialRow(props: CredentialRowProps) {
  const { name, mark, children, lastUsed, created, action, onAction } = props;
  const { t } = useTranslation();
  return (
    <li className={styles.token}>
      <div className={styles.text}>
        <p className={styles.name}>
          <span>{name}</span>
          {mark}
        </p>
        {children}
        <p className="muted">
          {lastUsed === null ? t('tokens.unused') : <TimeText text="tokens.used" time={lastUsed} />}
          {' · '}
          <TimeText text="tokens.created" time={created} />
        </p>
      </div>
      <Button
        small
        aria-label={t('text.detail', { text: action, detail: name })}
        onClick={onAction}
        className={styles.end}
      >
        {action}
      </Button>
    </li>
  );
}
