import type { ReactNode } from 'react';
import { LinkButton } from '../../components/Button';
import { NothingFoundIcon } from '../../components/icons';
import { Page } from '../../components/Page';
import { EmptyState } from '../../components/States';
import { useUser } from '../../data/configuration';
import { useTranslation } from '../../texts/i18n';

/** The screen for an unknown address. `action`: a button that leads on; by default to the folders. */
export function NotFound({ action }: { action?: ReactNode }) {
  const { t } = useTranslation();
  const user = useUser();
  return (
    <Page title={t('notFound.title')}>
      <EmptyState
        icon={<NothingFoundIcon />}
        title={t('notFound.what')}
        action={
          action ?? (
            <LinkButton kind="primary" href="/">
              {user === undefined ? t('action.signIn') : t('action.toFolders')}
            </LinkButton>
          )
        }
      >
        {t('notFound.text')}
      </EmptyState>
    </Page>
  );
}
