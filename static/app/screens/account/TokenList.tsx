import { useState } from 'react';
import type { ApiToken } from '../../../../api/token/schema';
import { Button } from '../../components/Button';
import { EmptyState, Loading, SkeletonRows } from '../../components/States';
import { PrivateIcon } from '../../components/screenIcons';
import { useSettings } from '../../data/configuration';
import { useTranslation } from '../../texts/i18n';
import { NewToken } from '../tokens/NewToken';
import { EndToken, TokenRow } from '../tokens/TokenRow';
import styles from '../tokens/Tokens.module.css';
import { useEndToken, useMakeToken, useOwnTokens } from './accountCalls';
import { Section } from './Section';

/** The person's API tokens. Nothing is shown while they are switched off and the person has none. */
export function TokenList({ login }: { login: string }) {
  const { t } = useTranslation();
  const { apiTokens: areOn } = useSettings();
  const query = useOwnTokens(login);
  const { data } = query;
  const make = useMakeToken(login);
  const end = useEndToken(login);
  const [asked, setAsked] = useState<ApiToken | 'new' | null>(null);
  if (!areOn && (data ?? []).length === 0) return null;
  const add = areOn && <Button onClick={() => setAsked('new')}>{t('tokens.new')}</Button>;
  return (
    <Section part="tokens" title={t('tokens.title')} intro={t('tokens.intro')} help="account#tokens">
      {!areOn && <p className={styles.off}>{t('tokens.off')}</p>}
      <Loading query={query} failed={t('tokens.failed')}>
        <SkeletonRows rows={1} height={60} oneLine />
      </Loading>
      {data?.length === 0 && <EmptyState icon={<PrivateIcon />} title={t('tokens.empty')} action={add} />}
      {data !== undefined && data.length > 0 && (
        <>
          <ul className={styles.tokens} aria-label={t('tokens.title')}>
            {data.map((token) => (
              <TokenRow key={token._id} token={token} onEnd={() => setAsked(token)} />
            ))}
          </ul>
          {add}
        </>
      )}
      {asked === 'new' && <NewToken make={make.mutateAsync} onClose={() => setAsked(null)} />}
      {asked !== null && asked !== 'new' && (
        <EndToken token={asked} end={end.mutateAsync} onClose={() => setAsked(null)} />
      )}
    </Section>
  );
}
