import { useDeferredValue, useMemo, useState } from 'react';
import type { Pad } from '../../../../api/answers';
import { Button, IconButton } from '../../components/Button';
import { FilterBar, SearchField, SortMenu } from '../../components/Filters';
import { AddIcon, MoveIcon, NothingFoundIcon, PadIcon, RemoveIcon, SelectIcon } from '../../components/icons';
import { Pagination } from '../../components/Pagination';
import { RowHeadings, Rows, SelectionBar } from '../../components/Rows';
import { EmptyState } from '../../components/States';
import { usePrinting } from '../../components/usePrinting';
import {
  isSortField,
  rememberedSorting,
  rememberSorting,
  type SortField,
  type Sorting,
} from '../../data/preferences';
import { useTranslation } from '../../i18n';
import { placeWith, useLocation, useQueryParams } from '../../location';
import { MarkButton } from '../bookmarks/MarkButton';
import { useNewPad } from '../newPad/useNewPad';
import { MovePads } from '../padMove/MovePads';
import { RemoveChatHistory, RemovePad, RemovePads } from '../removal/RemovePad';
import { SharePad } from '../sharing/ShareDialog';
import type { OpenFolder } from './FolderScreen';
import styles from './FolderView.module.css';
import { type PadQuestion, PadRow, padColumns } from './PadRow';
import { filterPads, pageOf, sortPads } from './padListing';
import { type Selection, useSelection } from './useSelection';

export interface PadListProps {
  folder: OpenFolder;
  /** A question to open immediately. */
  ask?: PadQuestion;
  /** Called when that question was answered. */
  onAnswered: () => void;
}

/** The sorting in the URL, or else the stored one. */
function useSorting(parameters: URLSearchParams): Sorting {
  const by = parameters.get('sort');
  const remembered = rememberedSorting('pad');
  if (!isSortField(by)) return remembered;
  return { by, ascending: parameters.get('order') !== 'desc' };
}

/** The pads of a folder, with filter, sorting, selection, and actions on one or several of them. */
export function PadList({ folder, ask, onAnswered }: PadListProps) {
  const { t, language } = useTranslation();
  const { group, pads, present } = folder;
  const [parameters, setParameters] = useQueryParams();
  const [path] = useLocation();
  const [question, setQuestion] = useState<PadQuestion | null>(ask ?? null);
  const text = useDeferredValue(parameters.get('q') ?? '');
  const sorting = useSorting(parameters);
  const all = useMemo(() => Object.values(pads), [pads]);
  const { by, ascending } = sorting;
  const shown = useMemo(() => {
    const word = (pad: Pad): string => (pad.visibility === null ? '' : t(`visibility.${pad.visibility}`));
    return sortPads(filterPads(all, text, word), { by, ascending }, language);
  }, [all, text, by, ascending, language, t]);
  const size = usePrinting() ? Math.max(1, shown.length) : undefined;
  const { items, page, pages } = pageOf(shown, Number(parameters.get('page') ?? '1'), size);
  const selection = useSelection(shown.map((pad) => pad._id));
  const [selecting, setSelecting] = useState(false);
  const selectable = all.some(({ abilities }) => abilities.bookmark || abilities.remove || abilities.move);

  const sort = (nextBy: SortField, nextAscending: boolean): void => {
    rememberSorting('pad', { by: nextBy, ascending: nextAscending });
    setParameters({ sort: nextBy, order: nextAscending ? 'asc' : 'desc', page: null });
  };
  const close = (): void => {
    setQuestion(null);
    onAnswered();
  };

  if (all.length === 0) {
    return (
      <section aria-label={t('folderView.pads')}>
        <NoPads folder={folder} />
      </section>
    );
  }
  return (
    <section aria-label={t('folderView.pads')} className={styles.pads}>
      <FilterBar
        search={
          <SearchField
            label={t('folderView.filter')}
            value={parameters.get('q') ?? ''}
            onChange={(q) => setParameters({ q, page: null })}
          />
        }
        tools={
          <>
            <SortMenu
              options={[
                { value: 'name', label: t('folderView.sort.name') },
                { value: 'ctime', label: t('folderView.sort.created') },
                { value: 'lastUpdate', label: t('folderView.sort.updated') },
              ]}
              value={by}
              ascending={ascending}
              onChange={sort}
            />
            {selectable && (
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
            )}
          </>
        }
        count={
          shown.length === all.length
            ? t('folderView.pads.count', { count: all.length })
            : t('folderView.pads.some', { count: all.length, shown: shown.length })
        }
        onClear={text === '' ? undefined : () => setParameters({ q: null, page: null })}
      />
      {shown.length === 0 && (
        <EmptyState
          icon={<NothingFoundIcon />}
          title={t('folderView.nothing.title', { text })}
          action={
            <Button onClick={() => setParameters({ q: null, page: null })}>
              {t('folderView.filter.clear')}
            </Button>
          }
        />
      )}
      {items.length > 0 && (
        <RowHeadings<SortField>
          headings={[
            { key: 'name', label: t('folderView.sort.name'), field: 'name' },
            { key: 'present', label: '', ...padColumns.present },
            { key: 'time', label: t('folderView.sort.updated'), field: 'lastUpdate', ...padColumns.time },
          ]}
          value={by}
          ascending={ascending}
          onSort={sort}
        />
      )}
      {items.length > 0 && (
        <Rows label={t('folderView.pads')} selecting={selecting || selection.ids.length > 0}>
          {items.map((pad) => (
            <PadRow
              key={pad._id}
              pad={pad}
              group={group}
              selection={selectable ? selection : undefined}
              renaming={question?.about === 'rename' && question.pad === pad._id}
              present={present[pad._id]}
              ask={setQuestion}
            />
          ))}
        </Rows>
      )}
      <Pagination
        page={page}
        pages={pages}
        href={(to) =>
          placeWith(path, {
            q: text,
            sort: parameters.get('sort'),
            order: parameters.get('order'),
            page: String(to),
          })
        }
      />
      {selection.ids.length > 0 && <Selected shown={shown} selection={selection} ask={setQuestion} />}
      {question !== null && <Question question={question} folder={folder} onClose={close} />}
    </section>
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
      {may('move') && (
        <Button small icon={<MoveIcon />} onClick={() => ask({ about: 'move', pads: selection.ids })}>
          {t('folderView.bulk.move')}
        </Button>
      )}
      {may('remove') && (
        <Button small icon={<RemoveIcon />} onClick={() => ask({ about: 'removeSelected', pads })}>
          {t('folderView.bulk.remove')}
        </Button>
      )}
    </SelectionBar>
  );
}

function NoPads({ folder: { group } }: { folder: OpenFolder }) {
  const { t } = useTranslation();
  const newPad = useNewPad();
  const { createPad } = group.abilities;
  return (
    <EmptyState
      icon={<PadIcon />}
      title={t('folderView.empty.title')}
      action={
        createPad && (
          <Button kind="primary" icon={<AddIcon />} busy={newPad.busy} onClick={() => newPad.create(group)}>
            {t('folderView.newPad')}
          </Button>
        )
      }
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

function Question({ question, folder, onClose }: QuestionProps) {
  if (question.about === 'removeSelected') {
    return <RemovePads group={folder.id} pads={question.pads} onClose={onClose} />;
  }
  if (question.about === 'move') {
    const all = Object.values(folder.pads);
    const chosen = all.filter(({ _id }) => question.pads.includes(_id));
    if (!folder.group.abilities.edit) return null;
    return (
      <MovePads
        from={folder.id}
        pads={chosen.length > 0 ? chosen : all}
        choose={chosen.length === 0}
        onClose={onClose}
      />
    );
  }
  const pad = folder.pads[question.pad];
  if (pad === undefined || question.about === 'rename') return null;
  if (question.about === 'share') return <SharePad pad={pad} onClose={onClose} />;
  if (question.about === 'remove')
    return pad.abilities.remove ? <RemovePad pad={pad} onClose={onClose} /> : null;
  return pad.abilities.removeChatHistory ? <RemoveChatHistory pad={pad} onClose={onClose} /> : null;
}
