import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import type { Pad } from '../../../../api/answers';
import { Button, IconButton } from '../../components/Button';
import { FilterBar, SearchField, SortMenu } from '../../components/Filters';
import { NothingFoundIcon } from '../../components/icons';
import { Pagination } from '../../components/Pagination';
import { type RowHeading, RowHeadings, Rows, SelectionBar } from '../../components/Rows';
import { EmptyState } from '../../components/States';
import { DownloadIcon, MoveIcon, PadIcon, RemoveIcon, SelectIcon } from '../../components/screenIcons';
import { usePrinting } from '../../components/usePrinting';
import { usePresentIn } from '../../data/pads';
import { rememberSorting, type SortField, sortingOf } from '../../data/preferences';
import { useQueryParams } from '../../navigation/location';
import { useTranslation } from '../../texts/i18n';
import { MarkButton } from '../bookmarks/MarkButton';
import { NewPadInFolder } from '../newPad/NewPadButton';
import { RemoveChatHistory, RemovePad, RemovePads } from '../removal/RemovePad';
import { useMissing } from '../removal/useMissing';
import { SharePad } from '../sharing/ShareDialog';
import type { OpenFolder } from './FolderScreen';
import styles from './FolderView.module.css';
import { ExportDialog, MovePads } from './laterDialogs';
import { type PadQuestion, PadRow, padColumns } from './PadRow';
import { padSearch, pageOf } from './padListing';
import { sortPads } from './sortPads';
import { type Selection, useSelection } from './useSelection';

export interface PadListProps {
  folder: OpenFolder;
  /** A question to open immediately. */
  ask?: PadQuestion;
  /** Called when that question was answered. */
  onAnswered: () => void;
}

/** What the URL says about the list: the text to look for, the sorting and the page. With the pads that result. */
function useListing(pads: Readonly<Record<string, Pad>>) {
  const { t, language } = useTranslation();
  const [parameters, setParameters] = useQueryParams();
  const search = parameters.get('q') ?? '';
  const text = useDeferredValue(search);
  const { by, ascending } = sortingOf('pad', parameters);
  const all = useMemo(() => Object.values(pads), [pads]);
  const find = useMemo(
    () => padSearch(all, ({ visibility }) => (visibility === null ? '' : t(`visibility.${visibility}`))),
    [all, t],
  );
  const shown = useMemo(
    () => sortPads(find(text), { by, ascending }, language),
    [find, text, by, ascending, language],
  );
  const size = usePrinting() ? Math.max(1, shown.length) : undefined;
  return {
    all,
    shown,
    ...pageOf(shown, Number(parameters.get('page') ?? '1'), size),
    search,
    text,
    by,
    ascending,
    setSearch: (q: string | null): void => setParameters({ q, page: null }),
    sort(nextBy: SortField, nextAscending: boolean): void {
      rememberSorting('pad', { by: nextBy, ascending: nextAscending });
      setParameters({ sort: nextBy, order: nextAscending ? 'asc' : 'desc', page: null });
    },
  };
}

type Listing = ReturnType<typeof useListing>;

/** Says that a link asks about a pad that is not in the folder, or about the pads of an empty one. */
function useMissingPad({ folder, ask, onAnswered }: PadListProps): boolean {
  const { t } = useTranslation();
  // Only what the link asked for: a pad that was just removed by a dialog is missing too.
  const [missing] = useState(() => {
    if (ask === undefined) return false;
    if ('pad' in ask) return folder.pads[ask.pad] === undefined;
    return ask.about === 'move' && Object.keys(folder.pads).length === 0;
  });
  const text = ask !== undefined && 'pad' in ask ? 'access.pad.missing.title' : 'folderView.empty.title';
  useMissing(missing, t(text), onAnswered);
  return missing;
}

/** The pads of a folder, and the open question. It stays when the last pad goes: it may have to say something. */
export function PadList(props: PadListProps) {
  const { folder, ask, onAnswered } = props;
  const missing = useMissingPad(props);
  const { t } = useTranslation();
  const [question, setQuestion] = useState<PadQuestion | null>((!missing && ask) || null);
  return (
    <section aria-label={t('folderView.pads')} className={styles.pads}>
      {Object.keys(folder.pads).length === 0 ? (
        <NoPads folder={folder} />
      ) : (
        <Pads folder={folder} ask={setQuestion} />
      )}
      {question !== null && (
        <Question
          question={question}
          folder={folder}
          onClose={() => {
            setQuestion(null);
            onAnswered();
          }}
        />
      )}
    </section>
  );
}

/** The list with filter, sorting, selection, and actions on one or several pads. */
function Pads({ folder, ask }: { folder: OpenFolder; ask: (question: PadQuestion) => void }) {
  const { t } = useTranslation();
  const listing = useListing(folder.pads);
  const { all, shown, items } = listing;
  const present = usePresentIn(folder.id);
  const selection = useSelection(shown.map((pad) => pad._id));
  const [selecting, setSelecting] = useState(false);
  const selectable = all.some(({ abilities }) => abilities.bookmark || abilities.remove || abilities.move);
  const selectButton = (
    <IconButton
      kind="secondary"
      label={t('folderView.selecting')}
      icon={<SelectIcon />}
      aria-pressed={selecting}
      onClick={() => {
        selection.clear();
        setSelecting(!selecting);
      }}
    />
  );
  return (
    <>
      <PadFilter listing={listing}>{selectable && selectButton}</PadFilter>
      {shown.length === 0 && <NothingFound listing={listing} />}
      {items.length > 0 && (
        <>
          <PadHeadings listing={listing} />
          <Rows label={t('folderView.pads')} selecting={selecting || selection.ids.length > 0}>
            {items.map((pad) => (
              <PadRow
                key={pad._id}
                pad={pad}
                group={folder.group}
                people={folder.people}
                selection={selectable ? selection : undefined}
                present={present[pad._id]}
                ask={ask}
              />
            ))}
          </Rows>
        </>
      )}
      <Pagination page={listing.page} pages={listing.pages} />
      {selection.ids.length > 0 && <Selected shown={shown} selection={selection} ask={ask} />}
    </>
  );
}

/** `children` is one more button. */
function PadFilter({ listing, children }: { listing: Listing; children: ReactNode }) {
  const { t } = useTranslation();
  const { all, shown, setSearch } = listing;
  return (
    <FilterBar
      search={<SearchField label={t('folderView.filter')} value={listing.search} onChange={setSearch} />}
      tools={
        <>
          <SortMenu
            options={[
              { value: 'name', label: t('folders.sort.name') },
              { value: 'ctime', label: t('folders.sort.created') },
              { value: 'lastUpdate', label: t('folders.sort.updated') },
            ]}
            value={listing.by}
            ascending={listing.ascending}
            onChange={listing.sort}
          />
          {children}
        </>
      }
      count={
        shown.length === all.length
          ? t('folders.pads', { count: all.length })
          : t('folderView.pads.some', { count: all.length, shown: shown.length })
      }
    />
  );
}

function PadHeadings({ listing }: { listing: Listing }) {
  const { t } = useTranslation();
  const headings: RowHeading<SortField>[] = [
    { key: 'name', label: t('folders.sort.name'), field: 'name' },
    { label: t('folders.sort.updated'), field: 'lastUpdate', descendingFirst: true, ...padColumns.time },
  ];
  return (
    <RowHeadings<SortField>
      headings={headings}
      value={listing.by}
      ascending={listing.ascending}
      onSort={listing.sort}
      withoutStar={!listing.all.some(({ abilities }) => abilities.bookmark)}
    />
  );
}

function NothingFound({ listing }: { listing: Listing }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<NothingFoundIcon />}
      title={t('palette.nothing', { text: listing.text })}
      action={<Button onClick={() => listing.setSearch(null)}>{t('filter.clearSearch')}</Button>}
    />
  );
}

interface SelectedProps {
  shown: readonly Pad[];
  selection: Selection;
  ask: (question: PadQuestion) => void;
}

/** The actions on all selected pads, as far as the person may do them with each. */
function Selected({ shown, selection, ask }: SelectedProps) {
  const { t } = useTranslation();
  const pads = shown.filter(({ _id }) => selection.has(_id));
  const may = (ability: 'bookmark' | 'move' | 'remove'): boolean =>
    pads.every(({ abilities }) => abilities[ability]);
  // The file has only pads that the person can open.
  const someOpen = pads.some(({ abilities: { enter } }) => enter === 'read' || enter === 'write');
  return (
    <SelectionBar
      text={t('folderView.selected', { count: pads.length })}
      clearLabel={t('folderView.select.clear')}
      onClear={selection.clear}
    >
      {pads.length < shown.length && (
        <Button small onClick={() => selection.set(shown.map((pad) => pad._id))}>
          {t('folderView.selectAll')}
        </Button>
      )}
      {may('bookmark') && <MarkButton type="pads" ids={selection.ids} />}
      {may('bookmark') && someOpen && (
        <Button small icon={<DownloadIcon />} onClick={() => ask({ about: 'export', pads })}>
          {t('exports.action')}
        </Button>
      )}
      {may('move') && (
        <Button small icon={<MoveIcon />} onClick={() => ask({ about: 'move', pads: selection.ids })}>
          {t('folderView.bulk.move')}
        </Button>
      )}
      {may('remove') && (
        <Button small icon={<RemoveIcon />} onClick={() => ask({ about: 'removeSelected', pads })}>
          {t('folders.remove')}
        </Button>
      )}
    </SelectionBar>
  );
}

function NoPads({ folder: { group } }: { folder: OpenFolder }) {
  const { t } = useTranslation();
  const { createPad } = group.abilities;
  return (
    <EmptyState
      icon={<PadIcon />}
      title={t('folderView.empty.title')}
      action={createPad && <NewPadInFolder folder={group} />}
    >
      {createPad ? t('folderView.empty.create') : t('folderView.empty.wait')}
    </EmptyState>
  );
}

interface QuestionProps {
  question: PadQuestion;
  folder: OpenFolder;
  onClose: () => void;
}

/** Its pad has gone, or the right to do it. It must not open by itself when that comes back. */
function Ended({ text, onClose }: { text: string; onClose: () => void }) {
  useMissing(true, text, onClose);
  return null;
}

function Question({ question, folder, onClose }: QuestionProps) {
  const { t } = useTranslation();
  const denied = <Ended text={t('access.edit.denied')} onClose={onClose} />;
  if (question.about === 'removeSelected') {
    return <RemovePads group={folder.id} pads={question.pads} onClose={onClose} />;
  }
  if (question.about === 'export') return <ExportDialog of={question} onClose={onClose} />;
  if (question.about === 'move') {
    const all = Object.values(folder.pads);
    const choose = question.pads.length === 0;
    const pads = choose ? all : all.filter(({ _id }) => question.pads.includes(_id));
    if (!folder.group.abilities.edit) return denied;
    return <MovePads from={folder.id} pads={pads} choose={choose} onClose={onClose} />;
  }
  const pad = folder.pads[question.pad];
  if (pad === undefined) return <Ended text={t('access.pad.missing.title')} onClose={onClose} />;
  if (question.about === 'share') return <SharePad pad={pad} onClose={onClose} />;
  if (question.about === 'remove')
    return pad.abilities.remove ? <RemovePad pad={pad} onClose={onClose} /> : denied;
  return pad.abilities.removeChatHistory ? <RemoveChatHistory pad={pad} onClose={onClose} /> : denied;
}
