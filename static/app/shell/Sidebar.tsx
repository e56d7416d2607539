import type { ReactNode } from 'react';
import type { OwnUser } from '../../../api/answers';
import { Avatar, displayName } from '../components/Avatar';
import { InfoIcon } from '../components/icons';
import { Menu } from '../components/Menu';
import {
  AccountIcon,
  AddFolderIcon,
  AddPadIcon,
  AdminIcon,
  ExpandIcon,
  FolderIcon,
  RemoveIcon,
  RequestIcon,
  SearchIcon,
  SignOutIcon,
  StarIcon,
  UserListIcon,
} from '../components/screenIcons';
import { useHasHelp, useSettings } from '../data/configuration';
import { useGroups } from '../data/folders';
import { Link, navigate, useHasParameter, useLocation } from '../navigation/location';
import { paths } from '../navigation/paths';
import { NewPadMenu, useNewPadButton } from '../screens/newPad/NewPadButton';
import { DropTargets } from '../screens/padMove/DropTargets';
import { useDraggedPads } from '../screens/padMove/dragging';
import { useTranslation } from '../texts/i18n';
import { useLanguageChoice } from './LanguageChoice';
import { seesAdministration, useLeave } from './leaving';
import { showOverlay } from './overlay';
import { useThemeItems } from './preferenceItems';
import styles from './Sidebar.module.css';
import { SidebarItem } from './SidebarItem';
import { SidebarLists } from './SidebarLists';

const commandKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K';

export interface SidebarProps {
  user: OwnUser;
  /** Called when a link was followed, to close the sidebar on a phone. */
  onLeave?: () => void;
  /** Buttons beside the title. */
  tools?: ReactNode;
}

function useScreens() {
  const { t } = useTranslation();
  const { disableUserList, trashDays } = useSettings();
  const [path] = useLocation();
  const hasTag = useHasParameter('tag');
  const { requests: count = 0 } = useGroups().data ?? {};
  const { addFolder, folders, requests, userLists, trash } = paths;
  const inFolders = path.startsWith(folders) && path !== addFolder && !hasTag;
  const inLists = path.startsWith(userLists);
  return [
    { href: addFolder, label: t('nav.newFolder'), Icon: AddFolderIcon },
    { href: folders, label: t('nav.folders'), Icon: FolderIcon, current: inFolders },
    count > 0 && { href: requests, label: t('requests.title'), Icon: RequestIcon, count },
    { href: '/mybookmarks', label: t('nav.bookmarks'), Icon: StarIcon },
    !disableUserList && {
      href: userLists,
      label: t('userLists.title'),
      Icon: UserListIcon,
      current: inLists,
    },
    trashDays > 0 && { href: trash, label: t('trash.title'), Icon: RemoveIcon },
  ].filter((screen) => screen !== false);
}

/** The navigation of a signed-in person. */
export function Sidebar({ user, onLeave, tools }: SidebarProps) {
  const { t } = useTranslation();
  const { title } = useSettings();
  const dragged = useDraggedPads();
  const screens = useScreens();
  return (
    <div className={styles.sidebar}>
      <div className={styles.top}>
        <Link href={paths.folders} className={styles.title} onClick={onLeave}>
          {title}
        </Link>
        {tools}
      </div>
      {dragged !== null && <DropTargets dragged={dragged} />}
      <nav aria-label={t('nav.label')} className={styles.nav} hidden={dragged !== null}>
        <ul>
          <NewPadItem onLeave={onLeave} />
          <li>
            <button
              type="button"
              aria-haspopup="dialog"
              className={styles.item}
              onClick={() => {
                onLeave?.();
                showOverlay('palette');
              }}
            >
              <SearchIcon />
              <span className={styles.label}>{t('nav.search')}</span>
              <kbd className={styles.count}>{commandKey}</kbd>
            </button>
          </li>
          {screens.map(({ label, Icon, ...item }) => (
            <SidebarItem key={item.href} {...item} icon={<Icon />} onLeave={onLeave}>
              {label}
            </SidebarItem>
          ))}
        </ul>
        <SidebarLists onLeave={onLeave} />
      </nav>
      <PersonMenu user={user} onLeave={onLeave} />
    </div>
  );
}

/** Creates a pad in the folder that it names, or in another one. */
function NewPadItem({ onLeave }: { onLeave?: (() => void) | undefined }) {
  const { t } = useTranslation();
  const button = useNewPadButton();
  const create = (): void => {
    button?.create();
    onLeave?.();
  };
  return (
    <li>
      <button
        type="button"
        aria-label={button?.label}
        aria-disabled={button?.busy !== false || undefined}
        className={styles.item}
        onClick={button && create}
      >
        <AddPadIcon />
        {t('newPad.title')}
      </button>
      <NewPadMenu
        align="start"
        onLeave={onLeave}
        trigger={(props) => (
          <button type="button" {...props} title={t('newPad.choose')} className={styles.where}>
            {button?.where}
            {button && <ExpandIcon className={styles.chevron} />}
          </button>
        )}
      />
    </li>
  );
}

interface PersonMenuProps {
  user: OwnUser;
  onLeave?: () => void;
  /** Only the picture of the person is shown. */
  folded?: boolean;
}

/** Account, language, theme, administration, signing out. */
export function PersonMenu({ user, onLeave, folded = false }: PersonMenuProps) {
  const { t } = useTranslation();
  const settings = useSettings();
  const { disableLogoutButton, disableUserProfile } = settings;
  const administrates = seesAdministration(settings, user.login);
  const themeItems = useThemeItems();
  const languages = useLanguageChoice();
  const hasHelp = useHasHelp();
  const leave = useLeave();
  return (
    <div className={styles.person}>
      <Menu
        label={t('nav.account')}
        align="start"
        trigger={(props) => (
          <button type="button" {...props} className={styles.personButton}>
            <Avatar person={user} size="medium" />
            <span className={folded ? 'visually-hidden' : styles.personText}>
              <span className={styles.personName}>{displayName(user)}</span>
              <span className="muted cut">{displayName(user) === user.login ? user.email : user.login}</span>
            </span>
            {!folded && <ExpandIcon className={styles.up} />}
          </button>
        )}
        items={[
          !disableUserProfile && {
            label: t('nav.profile'),
            icon: <AccountIcon />,
            onSelect: () => {
              onLeave?.();
              navigate(paths.account);
            },
          },
          languages.item,
          (!disableUserProfile || languages.item !== false) && 'line',
          { heading: t('theme.label') },
          ...themeItems,
          (administrates || hasHelp || !disableLogoutButton) && 'line',
          hasHelp && {
            label: t('help.title'),
            icon: <InfoIcon />,
            href: paths.help,
            onSelect: () => onLeave?.(),
          },
          administrates && { label: t('nav.administration'), icon: <AdminIcon />, href: '/admin' },
          !disableLogoutButton && { label: t('nav.signOut'), icon: <SignOutIcon />, onSelect: leave },
        ]}
      />
      {languages.dialog}
    </div>
  );
}
