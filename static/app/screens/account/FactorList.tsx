import { type ReactNode, useState } from 'react';
import type { Factor, OwnFactors } from '../../../../api/factor/schema';
import { Button } from '../../components/Button';
import { EmptyState, Loading, SkeletonRows } from '../../components/States';
import { PrivateIcon } from '../../components/screenIcons';
import { useTranslation } from '../../texts/i18n';
import factorStyles from '../factors/Factors.module.css';
import { RecoveryCodes } from '../factors/RecoveryCodes';
import { CredentialRow } from '../tokens/CredentialRow';
import styles from '../tokens/Tokens.module.css';
import { AddApp, AddPasskey, NewRecoveryCodes, RemoveFactor } from './FactorDialogs';
import { useOwnFactors } from './factorCalls';
import { Section } from './Section';

type Asked = 'app' | 'passkey' | 'recovery' | Factor | { codes: readonly string[] };

/** The person's second factors. Nothing for people whose password is elsewhere. */
export function FactorList({ login }: { login: string }) {
  const { t } = useTranslation();
  const query = useOwnFactors(login);
  const { data } = query;
  const [asked, setAsked] = useState<Asked | null>(null);
  if (data?.possible === false) return null;
  const close = (): void => setAsked(null);
  const show = (codes: readonly string[] | undefined): void => setAsked(codes ? { codes } : null);
  return (
    <Section part="factors" title={t('factors.title')} intro={t('factors.intro')} help="account#second-step">
      <Loading query={query} failed={t('factors.failed')}>
        <SkeletonRows rows={1} height={60} oneLine />
      </Loading>
      {data !== undefined && <Factors data={data} ask={setAsked} />}
      {asked === 'app' && <AddApp login={login} onAdded={show} onClose={close} />}
      {asked === 'passkey' && <AddPasskey login={login} onAdded={show} onClose={close} />}
      {asked === 'recovery' && <NewRecoveryCodes login={login} onAdded={show} onClose={close} />}
      {asked !== null && typeof asked === 'object' && 'codes' in asked && (
        <RecoveryCodes codes={asked.codes} onClose={close} />
      )}
      {asked !== null && typeof asked === 'object' && 'kind' in asked && (
        <RemoveFactor login={login} factor={asked} onClose={close} />
      )}
    </Section>
  );
}

function Factors({ data, ask }: { data: OwnFactors; ask: (what: Asked) => void }) {
  const { t } = useTranslation();
  const { factors, recoveryCodes, required, passkeys } = data;
  const hasApp = factors.some(({ kind }) => kind === 'totp');
  const add: ReactNode = (
    <div className={factorStyles.others}>
      <Button onClick={() => ask('app')}>{t(hasApp ? 'factors.app.replace' : 'factors.app.add')}</Button>
      {passkeys && <Button onClick={() => ask('passkey')}>{t('factors.passkey.add')}</Button>}
      {factors.length > 0 && <Button onClick={() => ask('recovery')}>{t('factors.recovery.new')}</Button>}
    </div>
  );
  return (
    <>
      {required && <p className={styles.off}>{t('factors.required')}</p>}
      {!passkeys && <p className={styles.off}>{t('factors.noPasskeys')}</p>}
      {factors.length === 0 ? (
        <EmptyState icon={<PrivateIcon />} title={t('factors.empty')} action={add} />
      ) : (
        <>
          <ul className={styles.tokens} aria-label={t('factors.title')}>
            {factors.map((factor) => (
              <FactorRow key={factor._id} factor={factor} onRemove={() => ask(factor)} />
            ))}
          </ul>
          <p className="muted">{t('factors.recovery.left', { count: recoveryCodes })}</p>
          {add}
        </>
      )}
    </>
  );
}

function FactorRow({ factor, onRemove }: { factor: Factor; onRemove: () => void }) {
  const { t } = useTranslation();
  const { kind, name, created, lastUsed } = factor;
  return (
    <CredentialRow
      name={kind === 'totp' ? t('factors.app') : name}
      mark={kind === 'passkey' && <span className={styles.last}>{t('factors.passkey')}</span>}
      lastUsed={lastUsed}
      created={created}
      action={t('factors.remove')}
      onAction={onRemove}
    />
  );
}
