import { Page } from '../../components/Page';
import { UserListIcon } from '../../components/screenIcons';
import { useTranslation } from '../../texts/i18n';
import { SwitchedOff } from '../account/SwitchedOff';

/** In place of the lists and their forms when the administrators have switched user lists off. */
export function NoUserLists() {
  const { t } = useTranslation();
  return (
    <Page title={t('userLists.title')}>
      <SwitchedOff icon={<UserListIcon />} title={t('userLists.disabled.title')}>
        {t('userLists.disabled.text')}
      </SwitchedOff>
    </Page>
  );
}
