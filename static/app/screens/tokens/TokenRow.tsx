import type { ReactNode } from 'react';
import type { ApiToken } from '../../../../api/token/schema';
import { dateFormatter } from '../../../../model/dateFormat';
import { ConfirmDialog } from '../../components/ConfirmDialog';
import { isolated, useTranslation } from '../../texts/i18n';
import { CredentialRow } from './CredentialRow';
import styles from './Tokens.module.css';

export interface TokenRowProps {
  token: ApiToken;
  /** Whose it is, in the list of all. */
  owner?: ReactNode;
  onEnd: () => void;
}

/** A token in a list: what it is for, what it allows, and when it was used. */
export function TokenRow({ token, owner, onEnd }: TokenRowProps) {
  const { t, language, list } = useTranslation();
  const { name, scopes, lastFour, addresses, created, ends, lastUsed } = token;
  const facts = [
    list(scopes.map((scope) => t(`tokens.scope.${scope}`))),
    addresses.length > 0 && t('tokens.from', { addresses: list(addresses.map(isolated)) }),
    t('links.until', { time: dateFormatter(language, { dateStyle: 'medium' })(ends) }),
  ].filter((fact) => typeof fact === 'string');
  return (
    <CredentialRow
      name={name}
      mark={
        <code className={styles.last} dir="ltr">
          mp_…{lastFour}
        </code>
      }
      lastUsed={lastUsed}
      created={created}
      action={t('tokens.end')}
      onAction={onEnd}
    >
      {owner !== undefined && <p className={styles.owner}>{owner}</p>}
      <p className="muted">{facts.join(' · ')}</p>
    </CredentialRow>
  );
}

export interface EndTokenProps {
  token: ApiToken;
  /** Ends it on the server. */
  end: (token: ApiToken) => Promise<unknown>;
  onClose: () => void;
}

/** Asks before a token is ended. */
export function EndToken({ token, end, onClose }: EndTokenProps) {
  const { t } = useTranslation();
  const { name } = token;
  return (
    <ConfirmDialog
      danger
      title={t('tokens.end.title', { name })}
      action={t('tokens.end')}
      onClose={onClose}
      onConfirm={() => end(token)}
      done={t('tokens.ended', { name })}
    >
      <p>{t('tokens.end.text')}</p>
    </ConfirmDialog>
  );
}
