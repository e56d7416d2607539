import type { OwnUser } from '../../../api/answers';
import { IconButton, IconLink } from '../components/Button';
import {
  AddPadIcon,
  FolderIcon,
  RequestIcon,
  SearchIcon,
  StarIcon,
  UnfoldIcon,
  UserListIcon,
} from '../components/screenIcons';
import { useSettings } from '../data/configuration';
import { useGroups } from '../data/folders';
import { paths } from '../navigation/paths';
import { NewPadMenu } from '../screens/newPad/NewPadButton';
import { useTranslation } from '../texts/i18n';
import { showOverlay } from './overlay';
import { PersonMenu } from './Sidebar';
import styles from './Sidebar.module.css';

/** The narrow bar that replaces the sidebar while it is folded away. */
export function Rail({ user, onUnfold }: { user: OwnUser; onUnfold: () => void }) {
  const { t } = useTranslation();
  const { disableUserList } = useSettings();
  const { requests = 0 } = useGroups().data ?? {};
  return (
    <div className={styles.rail}>
      <nav aria-label={t('nav.label')} className={styles.railNav}>
        <IconButton data-fold label={t('nav.unfold')} icon={<UnfoldIcon />} onClick={onUnfold} />
        <NewPadMenu
          align="start"
          trigger={(props) => <IconButton {...props} label={t('newPad.title')} icon={<AddPadIcon />} />}
        />
        <IconButton label={t('nav.search')} icon={<SearchIcon />} onClick={() => showOverlay('palette')} />
        <IconLink label={t('nav.folders')} icon={<FolderIcon />} href={paths.folders} />
        {requests > 0 && (
          <IconLink label={t('requests.title')} icon={<RequestIcon />} href={paths.requests} />
        )}
        <IconLink label={t('nav.bookmarks')} icon={<StarIcon />} href="/mybookmarks" />
        {!disableUserList && (
          <IconLink label={t('userLists.title')} icon={<UserListIcon />} href={paths.userLists} />
        )}
      </nav>
      <PersonMenu user={user} folded />
    </div>
  );
}
