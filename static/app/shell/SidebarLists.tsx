import { type ReactNode, useId, useMemo, useState } from 'react';
import { classNames } from '../components/classNames';
import { ExpandIcon, FolderIcon, PadIcon, TagIcon } from '../components/screenIcons';
import { useBookmarks } from '../data/bookmarks';
import { useGroups } from '../data/folders';
import { useRecentPads } from '../data/pads';
import { parameterValues, useLocation, useQueryParams, withParameters } from '../navigation/location';
import { folderOf, paths } from '../navigation/paths';
import { toggleTag } from '../screens/folders/folderListing';
import { pathOfShared, useShared } from '../screens/folders/useShared';
import { useTranslation } from '../texts/i18n';
import styles from './Sidebar.module.css';
import { SidebarItem } from './SidebarItem';

/**
 * Maximum numbers of pads, bookmarks and tags in the sidebar. Their screens, and the button "All tags", show the
 * others. Shared pads are as many as bookmarks.
 */
const recentShown = 5;
const bookmarksShown = 8;
const tagsShown = 10;

interface ListProps {
  onLeave?: () => void;
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** The pads that the person opened last, on any device. */
export function Recent({ onLeave }: ListProps) {
  const { t } = useTranslation();
  const { data: recent = [] } = useRecentPads();
  const { data } = useGroups();
  if (recent.length === 0) return null;
  return (
    <Section title={t('nav.recent')}>
      <ul>
        {recent.slice(0, recentShown).map((pad) => (
          <SidebarItem
            key={pad._id}
            href={paths.pad(folderOf(pad), pad._id)}
            title={[pad.name, data?.groups[folderOf(pad)]?.name].filter(Boolean).join(' – ')}
            icon={<PadIcon />}
            onLeave={onLeave}
          >
            {pad.name}
          </SidebarItem>
        ))}
      </ul>
    </Section>
  );
}

interface Marked {
  id: string;
  name: string;
  href: string;
  icon: ReactNode;
}

/** The bookmarked folders, then pads, by name. */
function useMarked(): Marked[] {
  const { language } = useTranslation();
  const { data } = useGroups();
  const marked = useBookmarks();
  return useMemo(() => {
    const byName = (one: Marked, other: Marked): number => one.name.localeCompare(other.name, language);
    const folders = Object.values(data?.bookmarks.groups ?? {})
      .filter(({ _id }) => marked.groups.has(_id))
      .map(({ _id: id, name }) => ({ id, name, href: paths.folder(id), icon: <FolderIcon /> }));
    const pads = Object.values(data?.bookmarks.pads ?? {})
      .filter(({ _id }) => marked.pads.has(_id))
      .map((pad) => ({
        id: pad._id,
        name: pad.name,
        href: paths.pad(folderOf(pad), pad._id),
        icon: <PadIcon />,
      }));
    return [...folders.sort(byName), ...pads.sort(byName)];
  }, [data, marked, language]);
}

/** The bookmarked folders and pads. */
export function BookmarkList({ onLeave }: ListProps) {
  const { t } = useTranslation();
  const [path] = useLocation();
  const all = useMarked();
  const { data: recent = [] } = useRecentPads();
  // A pad in both lists is marked as current only once.
  const isRecent = new Set(recent.slice(0, recentShown).map((pad) => paths.pad(folderOf(pad), pad._id)));
  if (all.length === 0) return null;
  return (
    <Section title={t('nav.bookmarks')}>
      <ul>
        {all.slice(0, bookmarksShown).map(({ id, name, href, icon }) => (
          <SidebarItem
            key={id}
            href={href}
            current={path === href && !isRecent.has(href)}
            title={name}
            icon={icon}
            onLeave={onLeave}
          >
            {name}
          </SidebarItem>
        ))}
      </ul>
    </Section>
  );
}

/** What is shared with the person. */
export function SharedList({ onLeave }: ListProps) {
  const { t } = useTranslation();
  const [path] = useLocation();
  const { data } = useGroups();
  const { data: recent = [] } = useRecentPads();
  const listed = new Set(recent.slice(0, recentShown).map(({ _id }) => _id));
  const things = useShared(data ?? nothingShared, '');
  if (things.length === 0) return null;
  return (
    <Section title={t('shared.title')}>
      <ul>
        {things.slice(0, bookmarksShown).map((thing) => (
          <SidebarItem
            key={thing._id}
            href={pathOfShared(thing)}
            current={path === pathOfShared(thing) && !listed.has(thing._id)}
            title={thing.name}
            icon={thing.pad === null ? <FolderIcon /> : <PadIcon />}
            onLeave={onLeave}
          >
            {thing.name}
          </SidebarItem>
        ))}
      </ul>
    </Section>
  );
}

const nothingShared = { shared: { groups: {}, pads: {} } };

/** The path after a click on a tag: on the list of folders, the tag is added to its filters or removed from them. */
function pathToggling(parameters: URLSearchParams, tag: string, inList: boolean): string {
  if (!inList) return withParameters(paths.folders, { tag });
  return withParameters(paths.folders, {
    ...parameterValues(parameters),
    tag: toggleTag(parameters.getAll('tag'), tag),
    page: null,
  });
}

/** The tags of the person's folders. Those that the list of folders is filtered by are marked. */
export function Tags({ onLeave }: ListProps) {
  const { t, language } = useTranslation();
  const [path] = useLocation();
  const [parameters] = useQueryParams();
  const inList = path === paths.folders;
  const active = inList ? parameters.getAll('tag') : [];
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
  const shown = tags.filter(([tag], index) => all || index < tagsShown || active.includes(tag));
  return (
    <Section title={t('nav.tags')}>
      <ul>
        {shown.map(([tag, count]) => (
          <SidebarItem
            key={tag}
            href={pathToggling(parameters, tag, inList)}
            current={active.includes(tag) && 'chosen'}
            icon={<TagIcon />}
            count={count}
            onLeave={onLeave}
          >
            {tag}
          </SidebarItem>
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
    </Section>
  );
}
