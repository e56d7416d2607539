import { type ReactNode, useId, useMemo, useState } from 'react';
import type { PadSummary } from '../../../api/answers';
import { classNames } from '../components/classNames';
import { ExpandIcon, FolderIcon, PadIcon, TagIcon } from '../components/screenIcons';
import { useBookmarks } from '../data/bookmarks';
import { useGroups, useTags } from '../data/folders';
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

/** A folder or a pad. */
interface Thing {
  name: string;
  href: string;
  icon: ReactNode;
  /** The tooltip, if it is not the name. */
  title?: string;
}

interface ThingsProps extends ListProps {
  title: string;
  things: readonly Thing[];
  /** Addresses that are in a list above, where they are marked as current. */
  listed?: ReadonlySet<string>;
}

function Things({ title, things, listed, onLeave }: ThingsProps) {
  const [path] = useLocation();
  if (things.length === 0) return null;
  return (
    <Section title={title}>
      <ul>
        {things.map(({ name, href, icon, title: tooltip = name }) => (
          <SidebarItem
            key={href}
            href={href}
            current={path === href && !listed?.has(href)}
            title={tooltip}
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

const padThing = (pad: Pick<PadSummary, '_id' | 'name' | 'group'>): Thing => ({
  name: pad.name,
  href: paths.pad(folderOf(pad), pad._id),
  icon: <PadIcon />,
});

function useRecent() {
  const { data: recent = [] } = useRecentPads();
  return recent.slice(0, recentShown);
}

/** The pads that the person opened last, on any device. */
function Recent({ onLeave }: ListProps) {
  const { t } = useTranslation();
  const { data } = useGroups();
  const things = useRecent().map((pad) => ({
    ...padThing(pad),
    title: [pad.name, data?.groups[folderOf(pad)]?.name].filter(Boolean).join(' – '),
  }));
  return <Things title={t('nav.recent')} things={things} onLeave={onLeave} />;
}

/** The bookmarked folders, then pads, by name. */
function useMarked(): Thing[] {
  const { language } = useTranslation();
  const { data } = useGroups();
  const marked = useBookmarks();
  return useMemo(() => {
    const byName = (one: Thing, other: Thing): number => one.name.localeCompare(other.name, language);
    const folders = Object.values(data?.bookmarks.groups ?? {})
      .filter(({ _id }) => marked.groups.has(_id))
      .map(({ _id: id, name }) => ({ name, href: paths.folder(id), icon: <FolderIcon /> }));
    const pads = Object.values(data?.bookmarks.pads ?? {})
      .filter(({ _id }) => marked.pads.has(_id))
      .map(padThing);
    return [...folders.sort(byName), ...pads.sort(byName)];
  }, [data, marked, language]);
}

/** The bookmarked folders and pads, and what is shared with the person. */
function BookmarkedAndShared({ onLeave }: ListProps) {
  const { t } = useTranslation();
  const listed = new Set(useRecent().map((pad) => padThing(pad).href));
  const marked = useMarked().slice(0, bookmarksShown);
  const { data = nothingShared } = useGroups();
  const shared = useShared(data, '')
    .slice(0, bookmarksShown)
    .map((thing) => ({
      name: thing.name,
      href: pathOfShared(thing),
      icon: thing.pad === null ? <FolderIcon /> : <PadIcon />,
    }));
  return (
    <>
      <Things title={t('nav.bookmarks')} things={marked} listed={listed} onLeave={onLeave} />
      <Things title={t('shared.title')} things={shared} listed={listed} onLeave={onLeave} />
    </>
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
function Tags({ onLeave }: ListProps) {
  const { t } = useTranslation();
  const [path] = useLocation();
  const [parameters] = useQueryParams();
  const inList = path === paths.folders;
  const active = inList ? parameters.getAll('tag') : [];
  const [all, setAll] = useState(false);
  const tags = useTags();
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

/** The lists below the screens. Together, because one that came later would move those below it. */
export function SidebarLists(props: ListProps) {
  const recent = useRecentPads();
  if (recent.isPending) return null;
  return (
    <>
      <Recent {...props} />
      <BookmarkedAndShared {...props} />
      <Tags {...props} />
    </>
  );
}
