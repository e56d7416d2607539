import { useState } from 'react';
import type { OwnedApiToken } from '../../../../../api/token/schema';
import { Button } from '../../../components/Button';
import { Page } from '../../../components/Page';
import { EmptyState } from '../../../components/States';
import { AddIcon, PrivateIcon } from '../../../components/screenIcons';
import { useAdminTokens, useEndAnyToken, useMakeAdminToken } from '../../../data/administration';
import { useSettings } from '../../../data/configuration';
import { Link } from '../../../navigation/location';
import { useTranslation } from '../../../texts/i18n';
import { NewToken } from '../../tokens/NewToken';
import { EndToken, TokenRow } from '../../tokens/TokenRow';
import styles from '../../tokens/Tokens.module.css';
import { adminPaths } from '../adminPaths';
import { DocsIntro } from '../DocsLink';
import { AdminList, usePageQuery } from '../lists/AdminList';

/** The API tokens of everyone. Server administrators make their own here too. */
export function AllTokens() {
  const { t } = useTranslation();
  const { apiTokens: areOn } = useSettings();
  const answer = useAdminTokens(usePageQuery());
  const make = useMakeAdminToken();
  const end = useEndAnyToken();
  const [asked, setAsked] = useState<OwnedApiToken | 'new' | null>(null);
  const count = answer.data?.count ?? 0;
  const add = areOn && (
    <Button kind="primary" icon={<AddIcon />} onClick={() => setAsked('new')}>
      {t('tokens.new')}
    </Button>
  );
  return (
    <Page
      title={t('tokens.title')}
      intro={<DocsIntro text={t('admin.tokens.intro')} page="tokens" about={t('tokens.title')} />}
      action={count > 0 && add}
    >
      {!areOn && <p className={styles.off}>{t('tokens.off')}</p>}
      <AdminList
        label={t('tokens.title')}
        failed={t('tokens.failed')}
        query={answer}
        rows={answer.data?.tokens.map((token) => (
          <TokenRow
            key={token._id}
            token={token}
            owner={<Owner owner={token.owner} />}
            onEnd={() => setAsked(token)}
          />
        ))}
        empty={<EmptyState icon={<PrivateIcon />} title={t('tokens.empty')} action={add || undefined} />}
      />
      {asked === 'new' && <NewToken ofAdministrator make={make.mutateAsync} onClose={() => setAsked(null)} />}
      {asked !== null && asked !== 'new' && (
        <EndToken token={asked} end={end.mutateAsync} onClose={() => setAsked(null)} />
      )}
    </Page>
  );
}

function Owner({ owner: { kind, login, id } }: Pick<OwnedApiToken, 'owner'>) {
  const { t } = useTranslation();
  if (login === null) return t('admin.log.gone');
  if (kind === 'administrator') return t('admin.tokens.administrator', { name: login });
  // By the id: two accounts of an old database can share a username.
  return <Link href={adminPaths.editUser(id ?? login)}>{login}</Link>;
}
