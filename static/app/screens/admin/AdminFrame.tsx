import DocsIcon from 'lucide-react/icons/book-open';
import type { ReactNode } from 'react';
import { BackIcon } from '../../components/icons';
import { Menu } from '../../components/Menu';
import {
  AdminIcon,
  CheckupIcon,
  ExpandIcon,
  FolderIcon,
  LogIcon,
  NumbersIcon,
  PadIcon,
  PrivateIcon,
  RestrictedIcon,
  RulesIcon,
  SelectIcon,
  SettingsIcon,
  SignOutIcon,
} from '../../components/screenIcons';
import { toasts } from '../../components/Toasts';
import { useAdminSettings, useAdminSignOut } from '../../data/administration';
import { useSettings } from '../../data/configuration';
import { useOnce } from '../../lib/useOnce';
import { Link, navigate } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useLanguageChoice } from '../../shell/LanguageChoice';
import { useThemeItems } from '../../shell/preferenceItems';
import sidebar from '../../shell/Sidebar.module.css';
import { SidebarItem } from '../../shell/SidebarItem';
import { SideFrame } from '../../shell/SideFrame';
import { translate, useTranslation } from '../../texts/i18n';
import { adminPaths } from './adminPaths';
import { useFirstSteps } from './firstSteps/useFirstSteps';

/** The sections of the administration. `path` decides which one is marked as current. */
function Navigation({ path, onLeave }: { path: string; onLeave?: () => void }) {
  const { t } = useTranslation();
  const { title } = useSettings();
  const open = Object.values(useFirstSteps()?.states ?? {}).filter((state) => state === 'open').length;
  const within = (parent: string): boolean => path === parent || path.startsWith(`${parent}/`);
  const sections = [
    [adminPaths.settings, t('admin.nav.settings'), SettingsIcon, path === adminPaths.settings],
    [adminPaths.users, t('admin.nav.users'), RestrictedIcon, within(adminPaths.users)],
    [adminPaths.folders, t('admin.nav.folders'), FolderIcon, within(adminPaths.folders)],
    [adminPaths.pads, t('admin.nav.pads'), PadIcon, within(adminPaths.pads)],
    [adminPaths.rules, t('admin.rules.title'), RulesIcon, path === adminPaths.rules],
    [adminPaths.tokens, t('tokens.title'), PrivateIcon, within(adminPaths.tokens)],
    [adminPaths.numbers, t('admin.numbers.title'), NumbersIcon, within(adminPaths.numbers)],
    [adminPaths.checkup, t('admin.checkup.title'), CheckupIcon, within(adminPaths.checkup)],
    [adminPaths.log, t('admin.log.title'), LogIcon, within(adminPaths.log)],
    [adminPaths.docs, t('admin.docs.title'), DocsIcon, within(adminPaths.docs)],
  ] as const;
  return (
    <div className={sidebar.sidebar}>
      <div className={sidebar.top}>
        <Link href={adminPaths.settings} className={sidebar.title} onClick={onLeave}>
          {t('admin.title')}
        </Link>
      </div>
      <nav aria-label={t('nav.label')} className={sidebar.nav}>
        <ul>
          {open > 0 && (
            <SidebarItem href={adminPaths.firstSteps} icon={<SelectIcon />} count={open} onLeave={onLeave}>
              {t('admin.firstSteps.title')}
            </SidebarItem>
          )}
          {sections.map(([href, label, Icon, current]) => (
            <SidebarItem key={href} href={href} current={current} icon={<Icon />} onLeave={onLeave}>
              {label}
            </SidebarItem>
          ))}
          <SidebarItem href={paths.folders} icon={<BackIcon />} onLeave={onLeave}>
            {t('admin.nav.leave', { title })}
          </SidebarItem>
        </ul>
      </nav>
      <AdminMenu />
    </div>
  );
}

function AdminMenu() {
  const { t } = useTranslation();
  const themeItems = useThemeItems();
  const languages = useLanguageChoice();
  const name = useAdminSettings().data?.administrator;
  return (
    <div className={sidebar.person}>
      <Menu
        label={t('admin.menu')}
        align="start"
        trigger={(props) => (
          <button type="button" {...props} className={sidebar.personButton}>
            <AdminIcon />
            <span className={sidebar.personText}>
              {name !== undefined && <span className={sidebar.personName}>{name}</span>}
              <span className={name === undefined ? undefined : 'muted cut'}>{t('admin.menu')}</span>
            </span>
            <ExpandIcon className={sidebar.up} />
          </button>
        )}
        items={[
          languages.item,
          languages.item !== false && 'line',
          { heading: t('theme.label') },
          ...themeItems,
          'line',
          { label: t('nav.signOut'), icon: <SignOutIcon />, href: adminPaths.signOut },
        ]}
      />
      {languages.dialog}
    </div>
  );
}

/** The layout of the administration. */
export function AdminFrame({ path, children }: { path: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <SideFrame
      title={t('admin.title')}
      home={adminPaths.settings}
      sidebar={(onLeave) => <Navigation path={path} onLeave={onLeave} />}
    >
      {children}
    </SideFrame>
  );
}

/** `/admin/logout`, an address of ep_mypads 1.x: signs out. */
export function AdminSignOut() {
  const signOut = useAdminSignOut();
  useOnce(() => {
    void signOut().then(() => {
      navigate('/', { replace: true });
      toasts.success(translate('admin.signedOut'));
    });
  });
  return null;
}
