import { useState } from 'react';
import type { OwnUser } from '../../../../api/answers';
import { Button, LinkButton } from '../../components/Button';
import { Page } from '../../components/Page';
import { PageParts } from '../../components/PageParts';
import { AccountIcon } from '../../components/screenIcons';
import { useSettings } from '../../data/configuration';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { OwnDataButton } from '../exports/Exports';
import styles from './Account.module.css';
import { FactorList } from './FactorList';
import { ProfileForm } from './ProfileForm';
import { RemoveAccount } from './RemoveAccount';
import { Section } from './Section';
import { SessionList } from './SessionList';
import { SignInData } from './SignInData';
import { SwitchedOff } from './SwitchedOff';
import { TokenList } from './TokenList';

/** The person's own account: profile, sign-in data, sessions, second factors, API tokens, removal. */
export function Account({ user }: { user: OwnUser }) {
  const { t } = useTranslation();
  const { disableUserProfile } = useSettings();
  return (
    <Page title={t('account.title')}>
      {disableUserProfile ? (
        <SwitchedOff icon={<AccountIcon />} title={t('account.disabled.title')}>
          {t('account.disabled.text')}
        </SwitchedOff>
      ) : (
        <PageParts>
          <Section part="profile" title={t('account.profile')}>
            <ProfileForm user={user} />
          </Section>
          <SignInData user={user} />
          <SessionList login={user.login} />
          <FactorList login={user.login} />
          <TokenList login={user.login} />
          <OwnData />
          <Removal user={user} />
        </PageParts>
      )}
    </Page>
  );
}

function OwnData() {
  const { t } = useTranslation();
  return (
    <Section part="data" title={t('exports.own')} intro={t('exports.about.me')}>
      <div className={styles.actions}>
        <OwnDataButton />
        <LinkButton kind="quiet" href={paths.exports}>
          {t('exports.title')}
        </LinkButton>
      </div>
    </Section>
  );
}

function Removal({ user }: { user: OwnUser }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  return (
    <Section part="delete" title={t('account.remove.heading')} intro={t('account.remove.intro')}>
      <Button kind="danger" onClick={() => setAsked(true)}>
        {t('account.remove.open')}
      </Button>
      {asked && <RemoveAccount user={user} onClose={() => setAsked(false)} />}
    </Section>
  );
}
