import { useDeferredValue, useMemo, useState } from 'react';
import type { Pad } from '../../../../api/wire';
import { Button, IconButton, LinkButton } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { FilterBar, SearchField, SortMenu } from '../../components/Filters';
import { AddIcon, CloseIcon, MoveIcon, NothingFoundIcon, PadIcon, RemoveIcon } from '../../components/icons';
import { Pagination } from '../../components/Pagination';
import { EmptyState } from '../../components/States';
import { isSortField, rememberedSorting, rememberSorting, type Sorting } from '../../data/preferences';
import { useTranslation } from '../../i18n';
import { navigate, placeWith, useLocation, useQueryParams } from '../../location';
import { places } from '../../places';
import { RemoveChatHistory, RemovePad, RemovePads } from '../removal/RemovePad';
import { SharePad } from '../sharing/ShareLinks';
import type { OpenFolder } from './FolderScreen';
import styles from './FolderView.module.css';
import { PadRow } from './PadRow';
import { filterPads, pageOf, sortPads } from './padListing';
import { type Selection, useSelection } from './useSelection';

/** What is asked about a pad in a dialog over the list. */
export type PadQuestion =
  | { about: 'share' | 'remove' | 'removeChatHistory'; pad: string }
  | { about: 'removeSelected'; pads: Pad[] };

export interface PadListProps {
  folder: OpenFolder;
  /** Asked at once. */
  ask?: PadQuestion;
  /** The question that was asked at once is answered. */
  onAnswered: () => void;
}

/** The sorting in the URL, else the one that this browser remembers. */
function useSorting(parameters: URLSearchParams): Sorting {
  const by = parameters.get('sort');
  const remembered = rememberedSorting('pad');
  if (!isSortField(by)) return remembered;
  return { by, ascending: parameters.get('order') !== 'desc' };
}

/** A folder's pads: filter, order, selection, and what can be done with each and with several. */
export function PadList({ folder, ask, onAnswered }: PadListProps) {
  const { t, language } = useTranslation();
  const { group, pads } = folder;
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
  const { items, page, pages } = pageOf(shown, Number(parameters.get('page') ?? '1'));
  const selection = useSelection(shown.map((pad) => pad._id));
  const selectable = all.some((pad) => pad.abilities.remove || pad.abilities.move);

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
          <SortMenu
            options={[
              { value: 'name', label: t('folderView.sort.name') },
              { value: 'ctime', label: t('folderView.sort.created') },
              { value: 'lastUpdate', label: t('folderView.sort.updated') },
            ]}
            value={by}
            ascending={ascending}
            onChange={(nextBy, nextAscending) => {
              rememberSorting('pad', { by: nextBy, ascending: nextAscending });
              setParameters({ sort: nextBy, order: nextAscending ? 'asc' : 'desc', page: null });
            }}
          />
        }
        count={
          shown.length === all.length
            ? t('folderView.pads.count', { count: all.length })
            : t('folderView.pads.some', { count: all.length, shown: shown.length })
        }
        onClear={text === '' ? undefined : () => setParameters({ q: null, page: null })}
      />
      {selectable && shown.length > 0 && (
        <SelectionBar
          selection={selection}
          total={shown.length}
          onAll={() => selection.set(shown.map((pad) => pad._id))}
          move={places.movePads(group._id, selection.ids)}
          onRemove={() =>
            setQuestion({ about: 'removeSelected', pads: shown.filter(({ _id }) => selection.has(_id)) })
          }
        />
      )}
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
      <ul className={styles.list}>
        {items.map((pad) => (
          <PadRow
            key={pad._id}
            pad={pad}
            group={group}
            selection={selectable ? selection : undefined}
            ask={setQuestion}
          />
        ))}
      </ul>
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
      {question !== null && <Question question={question} folder={folder} onClose={close} />}
    </section>
  );
}

function NoPads({ folder: { group } }: { folder: OpenFolder }) {
  const { t } = useTranslation();
  const { createPad } = group.abilities;
  return (
    <EmptyState
      icon={<PadIcon />}
      title={t('folderView.empty.title')}
      action={
        createPad && (
          <LinkButton kind="primary" icon={<AddIcon />} href={places.addPad(group._id)}>
            {t('folderView.newPad')}
          </LinkButton>
        )
      }
    >
      {createPad ? t('folderView.empty.create') : t('folderView.empty.wait')}
    </EmptyState>
  );
}

interface SelectionBarProps {
  selection: Selection;
  total: number;
  onAll: () => void;
  /** The place where the chosen pads are moved. */
  move: string;
  onRemove: () => void;
}

/** Select all and none, and what can be done with all that are chosen. */
function SelectionBar({ selection, total, onAll, move, onRemove }: SelectionBarProps) {
  const { t } = useTranslation();
  const count = selection.ids.length;
  return (
    <div className={styles.selection} data-active={count > 0 || undefined}>
      <Checkbox
        label={count === 0 ? t('folderView.selectAll') : t('folderView.selected', { count })}
        checked={count === total}
        mixed={count > 0 && count < total}
        onChange={() => (count === total ? selection.clear() : onAll())}
      />
      {count > 0 && (
        <div className={styles.bulk}>
          <Button small icon={<MoveIcon />} onClick={() => navigate(move)}>
            {t('folderView.bulk.move')}
          </Button>
          <Button small icon={<RemoveIcon />} onClick={onRemove}>
            {t('folderView.bulk.remove')}
          </Button>
          <IconButton
            small
            label={t('folderView.select.clear')}
            icon={<CloseIcon />}
            onClick={selection.clear}
          />
        </div>
      )}
    </div>
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
  const pad = folder.pads[question.pad];
  if (pad === undefined) return null;
  if (question.about === 'share') return <SharePad pad={pad} onClose={onClose} />;
  if (question.about === 'remove')
    return pad.abilities.remove ? <RemovePad pad={pad} onClose={onClose} /> : null;
  return pad.abilities.removeChatHistory ? <RemoveChatHistory pad={pad} onClose={onClose} /> : null;
}
