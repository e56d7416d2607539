import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import type { OwnUser } from '../../../../api/wire';
import { limits } from '../../../../model/limits';
import { Button, IconButton, LinkButton } from '../../components/Button';
import {
  AddIcon,
  ArchiveIcon,
  CloseIcon,
  FolderIcon,
  NothingFoundIcon,
  RemoveIcon,
  SelectIcon,
  UnarchiveIcon,
} from '../../components/icons';
import { Page } from '../../components/Page';
import { Pagination } from '../../components/Pagination';
import { Rows, SelectionBar } from '../../components/Rows';
import { EmptyState, ErrorState, SkeletonRows } from '../../components/States';
import { isSortField, rememberedSorting, type Sorting } from '../../data/preferences';
import { type Groups, useBookmarks, useGroups } from '../../data/queries';
import { useTranslation } from '../../i18n';
import { placeWith, useQueryParams } from '../../location';
import { places } from '../../places';
import { type Selection, useSelection } from '../folderView/useSelection';
import { FolderFilters } from './FolderFilters';
import { type FolderQuestions, FolderRow } from './FolderRow';
import styles from './Folders.module.css';
import {
  type Entry,
  entriesOf,
  type Filters,
  filterEntries,
  readFilters,
  sections,
  sortEntries,
} from './listing';
import { useArchive, useFolderQuestions } from './useFolderQuestions';

/** The folders of the person who is signed in. */
export function Folders({ user }: { user: OwnUser }) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useGroups();
  const none = data !== undefined && Object.keys(data.groups).length === 0;
  return (
    <Page
      title={t('folders.title')}
      action={
        none ? undefined : (
          <LinkButton kind="primary" icon={<AddIcon />} href={places.addFolder}>
            {t('folders.add')}
          </LinkButton>
        )
      }
    >
      {data !== undefined && <Loaded groups={data} user={user} />}
      {data === undefined && error !== null && (
        <ErrorState
          title={t('folders.failed')}
          error={error}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && <SkeletonRows height={52} rows={10} />}
    </Page>
  );
}

/** The sorting in the URL, else the remembered one. */
function sortingOf(parameters: URLSearchParams): Sorting {
  const by = parameters.get('sort');
  return isSortField(by) ? { by, ascending: parameters.get('order') !== 'desc' } : rememberedSorting('group');
}

function useEntries(groups: Groups, filters: Filters, user: OwnUser, parameters: URLSearchParams) {
  const { language } = useTranslation();
  const bookmarks = useBookmarks();
  const sorting = sortingOf(parameters);
  const { by, ascending } = sorting;
  const all = useMemo(() => entriesOf(groups, bookmarks.groups), [groups, bookmarks]);
  const sorted = useMemo(() => sortEntries(all, { by, ascending }, language), [all, by, ascending, language]);
  const shown = useMemo(() => filterEntries(sorted, filters, user), [sorted, filters, user]);
  return { all, shown, sorting };
}

function Loaded({ groups, user }: { groups: Groups; user: OwnUser }) {
  const { t } = useTranslation();
  const [current] = useQueryParams();
  const parameters = useDeferredValue(current);
  const filters = useMemo(() => readFilters(parameters), [parameters]);
  const { all, shown, sorting } = useEntries(groups, filters, user, parameters);
  const [selecting, setSelecting] = useState(false);
  const mine = shown.filter(({ group }) => group.abilities.edit).map(({ group }) => group._id);
  const selection = useSelection(mine);
  const { questions, dialog } = useFolderQuestions(user._id, selection.clear);

  if (all.length === 0) return <NoFolders />;
  const pages = Math.ceil(shown.length / limits.page);
  const page = Math.min(Math.max(1, Number(parameters.get('page')) || 1), Math.max(1, pages));
  return (
    <>
      <FolderFilters
        filters={filters}
        sorting={sorting}
        total={all.length}
        found={shown.length}
        tools={
          mine.length > 0 && (
            <IconButton
              kind="secondary"
              label={t('folders.selecting')}
              icon={<SelectIcon />}
              aria-pressed={selecting}
              onClick={() => {
                setSelecting(!selecting);
                selection.clear();
              }}
            />
          )
        }
      />
      {shown.length === 0 && <NothingFound text={filters.text} />}
      <Sections
        entries={shown.slice((page - 1) * limits.page, page * limits.page)}
        totals={shown}
        selection={selection}
        selecting={selecting}
        ask={questions}
      />
      <Pagination
        page={page}
        pages={pages}
        href={(to) =>
          placeWith(places.folders, { ...asRecord(parameters), page: to === 1 ? null : String(to) })
        }
      />
      {selection.ids.length > 0 && (
        <Selected
          entries={shown.filter(({ group }) => selection.has(group._id))}
          onClear={selection.clear}
          onRemove={(entries) => questions.remove(...entries)}
        />
      )}
      {dialog}
    </>
  );
}

function asRecord(parameters: URLSearchParams): Record<string, string[]> {
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name)]));
}

interface SectionsProps {
  entries: readonly Entry[];
  /** Those of all pages, for the numbers at the headings. */
  totals: readonly Entry[];
  selection: Selection;
  selecting: boolean;
  ask: FolderQuestions;
}

/** The rows of one page under the headings of their sections. */
function Sections({ entries, totals, selection, selecting, ask }: SectionsProps) {
  const { t } = useTranslation();
  const present = sections.filter((section) => totals.some((entry) => entry.section === section));
  return present.map((section): ReactNode => {
    const inside = entries.filter((entry) => entry.section === section);
    if (inside.length === 0) return null;
    const headed = present.length > 1 || section === 'archived';
    return (
      <section key={section} className={styles.section} aria-label={t(`folders.section.${section}`)}>
        {headed && (
          <h2 className={styles.heading}>
            {t(`folders.section.${section}`)}
            <span className={styles.number}>
              {totals.filter((entry) => entry.section === section).length}
            </span>
          </h2>
        )}
        <Rows label={t(`folders.section.${section}`)} selecting={selecting || selection.ids.length > 0}>
          {inside.map((entry) => (
            <FolderRow
              key={entry.group._id}
              entry={entry}
              ask={ask}
              selected={selection.has(entry.group._id)}
              onSelect={(range) => selection.toggle(entry.group._id, range)}
            />
          ))}
        </Rows>
      </section>
    );
  });
}

interface SelectedProps {
  entries: readonly Entry[];
  onClear: () => void;
  onRemove: (entries: readonly Entry[]) => void;
}

/** What can be done with all chosen folders. */
function Selected({ entries, onClear, onRemove }: SelectedProps) {
  const { t } = useTranslation();
  const archive = useArchive();
  const groups = entries.map(({ group }) => group);
  const back = groups.every(({ archived }) => archived);
  return (
    <SelectionBar text={t('folders.selected', { count: entries.length })}>
      <Button
        small
        icon={back ? <UnarchiveIcon /> : <ArchiveIcon />}
        onClick={() => {
          archive(groups, !back);
          onClear();
        }}
      >
        {back ? t('folders.unarchive') : t('folders.archive')}
      </Button>
      <Button small icon={<RemoveIcon />} onClick={() => onRemove(entries)}>
        {t('folders.remove')}
      </Button>
      <IconButton small label={t('folders.selectNone')} icon={<CloseIcon />} onClick={onClear} />
    </SelectionBar>
  );
}

function NoFolders() {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<FolderIcon />}
      title={t('folders.empty.title')}
      action={
        <LinkButton kind="primary" icon={<AddIcon />} href={places.addFolder}>
          {t('folders.empty.action')}
        </LinkButton>
      }
    >
      {t('folders.empty.text')}
    </EmptyState>
  );
}

function NothingFound({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<NothingFoundIcon />}
      title={text === '' ? t('folders.nothing.filters') : t('folders.nothing.text', { text })}
      action={<LinkButton href={places.folders}>{t('filter.clear')}</LinkButton>}
    />
  );
}
