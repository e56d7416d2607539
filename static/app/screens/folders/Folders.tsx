import { memo, type ReactNode, useCallback, useDeferredValue, useMemo, useState } from 'react';
import type { OwnUser } from '../../../../api/answers';
import { limits } from '../../../../model/limits';
import { Button, IconButton, LinkButton } from '../../components/Button';
import { NothingFoundIcon } from '../../components/icons';
import { Page } from '../../components/Page';
import { Pagination, pageIn } from '../../components/Pagination';
import { type RowHeading, RowHeadings, SelectionBar } from '../../components/Rows';
import { EmptyState, Loading, SkeletonRows } from '../../components/States';
import {
  AddFolderIcon,
  AddIcon,
  ArchiveIcon,
  FolderIcon,
  MoveIcon as ImportIcon,
  RemoveIcon,
  SelectIcon,
  TagIcon,
  UnarchiveIcon,
} from '../../components/screenIcons';
import { usePrinting } from '../../components/usePrinting';
import { useBookmarks } from '../../data/bookmarks';
import { useSettings } from '../../data/configuration';
import { type Groups, type ListedFolder, useGroups } from '../../data/folders';
import { usePresentIn } from '../../data/pads';
import { rememberSorting, type SortField, type Sorting, sortingOf } from '../../data/preferences';
import { keepResult } from '../../lib/keepResult';
import { useLatest } from '../../lib/useLatest';
import { parametersOf, setQueryParams, useQueryParams } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { MarkButton } from '../bookmarks/MarkButton';
import { HelpLink } from '../guide/HelpLink';
import { NewPadButton } from '../newPad/NewPadButton';
import { FolderFilters } from './FolderFilters';
import { type FolderQuestions, FolderRow, folderColumns } from './FolderRow';
import styles from './Folders.module.css';
import { FoundPads, useFoundPads } from './FoundPads';
import {
  type Entry,
  entriesOf,
  filterEntries,
  isFiltered,
  readFilters,
  sections,
  sortEntries,
  toggleTag,
} from './folderListing';
import { ListSection } from './ListSection';
import { Shared } from './Shared';
import { useArchive, useFolderQuestions } from './useFolderQuestions';
import { type Selection, useSelection } from './useSelection';
import { useShared } from './useShared';

/** The screen with the person's folders. */
export function Folders({ user }: { user: OwnUser }) {
  const { t } = useTranslation();
  const query = useGroups();
  const { data } = query;
  const none = data !== undefined && Object.keys(data.groups).length === 0;
  return (
    <Page
      title={t('folders.title')}
      action={
        query.isPending ? (
          // Alone, because the folder's name makes it wider: the others would move, and it would take their place.
          <Button kind="primary" icon={<AddIcon />} busy>
            {t('newPad.title')}
          </Button>
        ) : (
          !none && (
            <>
              <LinkButton
                icon={<ImportIcon />}
                title={t('import.title')}
                href={paths.import}
                className={styles.newFolder}
              >
                {t('import.title')}
              </LinkButton>
              <LinkButton
                icon={<AddFolderIcon />}
                title={t('nav.newFolder')}
                href={paths.addFolder}
                className={styles.newFolder}
              >
                {t('nav.newFolder')}
              </LinkButton>
              {data !== undefined && <NewPadButton />}
            </>
          )
        )
      }
    >
      {data !== undefined && <Loaded groups={data} user={user} />}
      <Loading query={query} failed={t('folders.failed')}>
        <SkeletonRows height={52} rows={10} />
      </Loading>
    </Page>
  );
}

/** Sorts the list, and remembers that for the next visit. */
function sort(by: SortField, ascending: boolean): void {
  rememberSorting('group', { by, ascending });
  setQueryParams({ sort: by, order: ascending ? 'asc' : 'desc', page: null });
}

/** Filters the list by a tag too, or no longer. */
const onTag = (tag: string): void =>
  setQueryParams({ tag: toggleTag(parametersOf(location.search).getAll('tag'), tag), page: null });

const keptEntries = keepResult(entriesOf);

const sortedEntries = keepResult(
  (all: readonly Entry[], by: SortField, ascending: boolean, language: string) =>
    sortEntries(all, { by, ascending }, language),
);

function useEntries(groups: Groups, user: OwnUser, parameters: URLSearchParams) {
  const { language } = useTranslation();
  const bookmarks = useBookmarks();
  const { by, ascending } = sortingOf('group', parameters);
  const filters = useMemo(() => readFilters(parameters), [parameters]);
  const sorted = sortedEntries(keptEntries(groups, bookmarks.groups), by, ascending, language);
  return useMemo(() => filterEntries(sorted, filters, user), [sorted, filters, user]);
}

function Loaded({ groups, user }: { groups: Groups; user: OwnUser }) {
  const { t } = useTranslation();
  const [parameters] = useQueryParams();
  const [selecting, setSelecting] = useState(false);
  const shown = useEntries(groups, user, parameters);
  const { text, ...filters } = readFilters(parameters);
  const { pads, names, isComplete } = useFoundPads(text);
  const total = Object.keys(groups.groups).length;
  const shared = useShared(groups, text);
  // What is shared with the person is no folder of theirs. No filter fits it but that of the same name.
  const role = filters.role === 'user' ? null : filters.role;
  const sharedShown = isFiltered({ ...filters, text: '', role }) ? [] : shared;
  const nothing = isComplete && shown.length === 0 && pads.length === 0 && sharedShown.length === 0;
  if (total === 0) {
    return (
      <>
        <NoFolders />
        <Shared things={sharedShown} groups={groups} />
      </>
    );
  }
  return (
    <>
      <FolderFilters
        filters={readFilters(parameters)}
        sorting={sortingOf('group', parameters)}
        onSort={sort}
        total={total}
        found={shown.length}
        nothing={nothing}
        tools={
          shown.length > 0 && (
            <IconButton
              kind="secondary"
              label={t('folders.selecting')}
              icon={<SelectIcon />}
              aria-pressed={selecting}
              onClick={() => setSelecting(!selecting)}
            />
          )
        }
      />
      {nothing && <NothingFound text={text} />}
      <Listing shown={shown} parameters={parameters} selecting={selecting} self={user._id} />
      {!isComplete && (
        <Loading query={names} failed={t('search.failed')}>
          <SkeletonRows rows={2} />
        </Loading>
      )}
      <FoundPads pads={pads} groups={groups} />
      <Shared things={sharedShown} groups={groups} />
    </>
  );
}

/** Rows that are rendered first after a change, about one screen of a phone. The rest of the page follows. */
const rowsAtOnce = 10;

/** Smallest height of a row in px. */
const rowHeight = 52;

/** The tags that the list is filtered by: the same array while they are the same. */
function useTags(parameters: URLSearchParams): readonly string[] {
  const joined = parameters.getAll('tag').join('\n');
  return useMemo(() => (joined === '' ? [] : joined.split('\n')), [joined]);
}

interface ListingProps {
  shown: readonly Entry[];
  parameters: URLSearchParams;
  selecting: boolean;
  self: string;
}

/** The rows of the current page, the selection among all results, and the open question. */
const Listing = memo(function Listing({ shown, parameters, selecting, self }: ListingProps) {
  const selection = useSelection(shown.map(({ group }) => group._id));
  const [wasSelecting, setWasSelecting] = useState(selecting);
  if (wasSelecting !== selecting) {
    setWasSelecting(selecting);
    selection.clear();
  }
  const toggle = useLatest(selection.toggle);
  const onSelect = useCallback((id: string, range: boolean) => toggle.current(id, range), []);
  const { questions, dialog } = useFolderQuestions(self, selection.clear);
  const view = parameters.toString();
  const tags = useTags(parameters);
  const printing = usePrinting();
  const size = printing ? Math.max(1, shown.length) : limits.page;
  const settled = useDeferredValue(view, null) === view;
  const rows = printing || settled ? size : rowsAtOnce;
  const pages = Math.ceil(shown.length / size);
  const page = Math.min(pageIn(parameters), Math.max(1, pages));
  const entries = shown.slice((page - 1) * size, page * size);
  return (
    <>
      {entries.length > 0 && <Headings sorting={sortingOf('group', parameters)} />}
      {/* The list has its final height from the start, so that Back can restore the scroll position. */}
      <div style={rows < entries.length ? { minHeight: `${entries.length * rowHeight}px` } : undefined}>
        <Sections
          entries={entries.slice(0, rows)}
          totals={shown}
          self={self}
          selection={selection}
          selecting={selecting}
          ask={questions}
          onSelect={onSelect}
          tags={tags}
        />
      </div>
      <Pagination page={page} pages={pages} />
      {selection.ids.length > 0 && (
        <Selected
          entries={shown.filter(({ group }) => selection.has(group._id))}
          onClear={selection.clear}
          ask={questions}
        />
      )}
      {dialog}
    </>
  );
});

function Headings({ sorting }: { sorting: Sorting }) {
  const { t } = useTranslation();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  const { visibility, pads, people, time } = folderColumns;
  const columns: (RowHeading<SortField> | false)[] = [
    { key: 'name', label: t('folders.sort.name'), field: 'name' },
    !signedInOnly && { label: t('folderForm.visibility'), ...visibility },
    { label: t('folderView.pads'), ...pads },
    !signedInOnly && { label: t('folderView.people'), ...people },
    { label: t('folders.sort.updated'), field: 'lastUpdate', descendingFirst: true, ...time },
  ];
  return (
    <RowHeadings
      headings={columns.filter((column) => column !== false)}
      value={sorting.by}
      ascending={sorting.ascending}
      onSort={sort}
    />
  );
}

interface SectionsProps {
  entries: readonly Entry[];
  /** The entries of all pages, for the numbers in the headings. */
  totals: readonly Entry[];
  self: string;
  selection: Selection;
  selecting: boolean;
  ask: FolderQuestions;
  onSelect: (id: string, range: boolean) => void;
  tags: readonly string[];
}

/** The rows of a page in sections with headings. */
function Sections(props: SectionsProps) {
  const { entries, totals, self, selection, selecting, ask, onSelect, tags } = props;
  const { t } = useTranslation();
  const { groups: bookmarked } = useBookmarks();
  const presentIn = usePresentIn();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  const present = sections.filter((section) => totals.some((entry) => entry.section === section));
  return present.map((section): ReactNode => {
    const inside = entries.filter((entry) => entry.section === section);
    if (inside.length === 0) return null;
    const headed = present.length > 1 || section === 'archived';
    return (
      <ListSection
        key={section}
        label={t(`folders.section.${section}`)}
        count={headed ? totals.filter((entry) => entry.section === section).length : undefined}
        selecting={selecting || selection.ids.length > 0}
      >
        {inside.map((entry) => (
          <FolderRow
            key={entry.group._id}
            entry={entry}
            present={presentIn[entry.group._id]}
            self={self}
            ask={ask}
            starred={bookmarked.has(entry.group._id)}
            signedInOnly={signedInOnly}
            selected={selection.has(entry.group._id)}
            onSelect={onSelect}
            tags={tags}
            onTag={onTag}
          />
        ))}
      </ListSection>
    );
  });
}

interface SelectedProps {
  entries: readonly Entry[];
  onClear: () => void;
  ask: FolderQuestions;
}

/** The actions on all selected folders. Only people who administer all of them may do more than set bookmarks. */
function Selected({ entries, onClear, ask }: SelectedProps) {
  const { t } = useTranslation();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  const groups = entries.map(({ group }) => group);
  const ids = groups.map(({ _id }) => _id);
  const administersAll = groups.every(({ abilities }) => abilities.edit);
  return (
    <SelectionBar
      text={t('folders.selected', { count: entries.length })}
      note={administersAll ? undefined : t('folders.selected.others')}
      clearLabel={t('folders.selectNone')}
      onClear={onClear}
    >
      <MarkButton type="groups" ids={ids} />
      {administersAll && (
        <>
          <Button small icon={<TagIcon />} onClick={() => ask.tag(groups)}>
            {t('folders.tags')}
          </Button>
          {!signedInOnly && <ArchiveButton groups={groups} onDone={onClear} />}
          <Button small icon={<RemoveIcon />} onClick={() => ask.remove(...entries)}>
            {t('folders.remove')}
          </Button>
        </>
      )}
    </SelectionBar>
  );
}

/** Restores the folders if all are archived, otherwise archives them. */
function ArchiveButton({ groups, onDone }: { groups: readonly ListedFolder[]; onDone: () => void }) {
  const { t } = useTranslation();
  const archive = useArchive();
  const back = groups.every(({ archived }) => archived);
  return (
    <Button
      small
      icon={back ? <UnarchiveIcon /> : <ArchiveIcon />}
      onClick={() => {
        archive(groups, !back);
        onDone();
      }}
    >
      {back ? t('folders.unarchive') : t('folders.archive')}
    </Button>
  );
}

function NoFolders() {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<FolderIcon />}
      title={t('folders.empty.title')}
      action={
        <>
          <NewPadButton />
          <LinkButton icon={<AddFolderIcon />} href={paths.addFolder}>
            {t('folders.empty.action')}
          </LinkButton>
          <LinkButton icon={<ImportIcon />} href={paths.import}>
            {t('import.title')}
          </LinkButton>
        </>
      }
    >
      {t('folders.empty.text')} <HelpLink page="folders" about={t('folders.title')} />
    </EmptyState>
  );
}

/** The search finds folders and pads. Only folders have filters. */
function NothingFound({ text }: { text: string }) {
  const { t } = useTranslation();
  return text === '' ? (
    <EmptyState
      icon={<NothingFoundIcon />}
      title={t('folders.nothing.filters')}
      action={<LinkButton href={paths.folders}>{t('filter.clear')}</LinkButton>}
    />
  ) : (
    <EmptyState
      icon={<NothingFoundIcon />}
      title={t('palette.nothing', { text })}
      action={
        <Button onClick={() => setQueryParams({ q: null, page: null })}>{t('filter.clearSearch')}</Button>
      }
    />
  );
}
