import { useMemo, useState } from 'react';
import type { OwnUser } from '../../../api/wire';
import { Avatar, displayName } from '../components/Avatar';
import { classNames } from '../components/classNames';
import { AddIcon, ExpandIcon, FolderIcon, SignOutIcon, StarIcon, TagIcon } from '../components/icons';
import { Menu } from '../components/Menu';
import { toasts } from '../components/Toasts';
import { useSignOut } from '../data/mutations';
import { useGroups, useSettings } from '../data/queries';
import { useTranslation } from '../i18n';
import { Link, navigate, placeWith, useLocation, useQueryParams } from '../location';
import { places } from '../places';
import { useLanguageItems, useThemeItems } from './preferenceItems';
import styles from './Sidebar.module.css';

/** Tags shown before "All tags". */
const tagsShown = 10;

/** The way around for somebody who is signed in. `onLeave` is called when a link was followed, to close the sheet on a phone. */
export function Sidebar({ user, onLeave }: { user: OwnUser; onLeave?: () => void }) {
  const { t } = useTranslation();
  const { title } = useSettings();
  const [path] = useLocation();
  const [parameters] = useQueryParams();
  const inFolders =
    path.startsWith(places.folders) && path !== places.addFolder && parameters.getAll('tag').length === 0;
  return (
    <div className={styles.sidebar}>
      <Link href={places.folders} className={styles.title} onClick={onLeave}>
        {title}
      </Link>
      <nav aria-label={t('nav.label')} className={styles.nav}>
        <ul>
          <Item
            href={places.addFolder}
            current={path === places.addFolder}
            icon={<AddIcon />}
            onLeave={onLeave}
          >
            {t('nav.newFolder')}
          </Item>
          <Item href={places.folders} current={inFolders} icon={<FolderIcon />} onLeave={onLeave}>
            {t('nav.folders')}
          </Item>
          <Item href="/mybookmarks" current={path === '/mybookmarks'} icon={<StarIcon />} onLeave={onLeave}>
            {t('nav.bookmarks')}
          </Item>
        </ul>
        <Tags current={path === places.folders ? parameters.getAll('tag') : []} onLeave={onLeave} />
      </nav>
      <PersonMenu user={user} />
    </div>
  );
}

interface ItemProps {
  href: string;
  current: boolean;
  icon: React.ReactNode;
  count?: number;
  onLeave?: () => void;
  children: string;
}

function Item({ href, current, icon, count, onLeave, children }: ItemProps) {
  return (
    <li>
      <Link href={href} aria-current={current ? 'page' : undefined} className={styles.item} onClick={onLeave}>
        {icon}
        <span className={styles.label}>{children}</span>
        {count !== undefined && <span className={styles.count}>{count}</span>}
      </Link>
    </li>
  );
}

function Tags({ current, onLeave }: { current: readonly string[]; onLeave?: () => void }) {
  const { t, language } = useTranslation();
  const { data } = useGroups();
  const [all, setAll] = useState(false);
  const tags = useMemo(() => {
    const counts = new Map<string, number>();
    for (const group of Object.values(data?.groups ?? {})) {
      for (const tag of group.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    return [...counts].sort(([one], [other]) => one.localeCompare(other, language));
  }, [data, language]);
  if (tags.length === 0) return null;
  const shown = all ? tags : tags.slice(0, tagsShown);
  return (
    <section className={styles.tags} aria-labelledby="sidebar-tags">
      <h2 id="sidebar-tags" className={styles.heading}>
        {t('nav.tags')}
      </h2>
      <ul>
        {shown.map(([tag, count]) => (
          <Item
            key={tag}
            href={placeWith(places.folders, { tag })}
            current={current.includes(tag)}
            icon={<TagIcon />}
            count={count}
            onLeave={onLeave}
          >
            {tag}
          </Item>
        ))}
      </ul>
      {tags.length > tagsShown && (
        <button
          type="button"
          aria-expanded={all}
          className={classNames(styles.item, styles.more)}
          onClick={() => setAll(!all)}
        >
          <ExpandIcon className={all ? styles.up : undefined} />
          {all ? t('nav.fewerTags') : t('nav.allTags', { count: tags.length })}
        </button>
      )}
    </section>
  );
}

function PersonMenu({ user }: { user: OwnUser }) {
  const { t } = useTranslation();
  const { disableLogoutButton } = useSettings();
  const themeItems = useThemeItems();
  const languageItems = useLanguageItems();
  const signOut = useSignOut();
  const leave = async (): Promise<void> => {
    await signOut.mutateAsync().catch(() => undefined);
    navigate('/login');
    toasts.success(t('logout.done'));
  };
  return (
    <div className={styles.person}>
      <Menu
        label={t('nav.account')}
        align="start"
        trigger={(props) => (
          <button type="button" {...props} className={styles.personButton}>
            <Avatar person={user} size="medium" />
            <span className={styles.personText}>
              <span className={styles.personName}>{displayName(user)}</span>
              <span className={styles.personLogin}>
                {displayName(user) === user.login ? user.email : user.login}
              </span>
            </span>
            <ExpandIcon className={styles.up} />
          </button>
        )}
        items={[
          { heading: t('theme.label') },
          ...themeItems,
          languageItems.length > 0 && 'line',
          languageItems.length > 0 && { heading: t('language.label') },
          ...languageItems,
          !disableLogoutButton && 'line',
          !disableLogoutButton && {
            label: t('nav.signOut'),
            icon: <SignOutIcon />,
            onSelect: () => void leave(),
          },
        ]}
      />
    </div>
  );
}
