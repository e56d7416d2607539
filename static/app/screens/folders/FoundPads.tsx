import { memo, useCallback, useMemo, useState } from 'react';
import type { Named } from '../../../../api/answers';
import { Row } from '../../components/Rows';
import { PadIcon } from '../../components/screenIcons';
import { useErrorToast } from '../../components/Toasts';
import { useBookmarks, useToggleBookmark } from '../../data/bookmarks';
import type { Groups } from '../../data/folders';
import { usePadNames } from '../../data/pads';
import { keepResult } from '../../lib/keepResult';
import { bestMatches, searchable, wordsOf } from '../../lib/matching';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { PadQuickMenu, SharePadAt } from '../padActions/PadQuickMenu';
import { ListSection } from './ListSection';

/** Maximum number of pads in the list. Typing more words finds the others. */
const padsShown = 20;

/** A pad whose name fits the search in the list of folders. */
export interface FoundPad {
  id: string;
  name: string;
  group: string;
}

const searchablePads = keepResult((names: Readonly<Record<string, readonly Named[]>>) =>
  Object.entries(names).flatMap(([group, pads]) =>
    pads.map(({ _id: id, name }) => ({ id, name, group, searched: searchable(name) })),
  ),
);

/** The pads that a search finds by their name; none for an empty search. `names`: the query that it needs. */
export function useFoundPads(text: string) {
  const searching = text !== '';
  const names = usePadNames(searching);
  const { data } = names;
  const pads = useMemo(
    (): FoundPad[] => (searching && data ? bestMatches(searchablePads(data), wordsOf(text), padsShown) : []),
    [data, text, searching],
  );
  return { pads, names, isComplete: !searching || data !== undefined };
}

/** The pads below the folders that were found. */
export function FoundPads({ pads, groups }: { pads: readonly FoundPad[]; groups: Groups }) {
  const { t } = useTranslation();
  const marked = useBookmarks().pads;
  const onStar = useStarring();
  const [sharing, setSharing] = useState<string | null>(null);
  return (
    <>
      {pads.length > 0 && (
        <ListSection label={t('folders.section.pads')} count={pads.length}>
          {pads.map(({ id, name, group }) => (
            <FoundRow
              key={id}
              id={id}
              name={name}
              group={group}
              folder={
                (groups.groups[group] ?? groups.bookmarks.groups[group] ?? groups.shared.groups[group])?.name
              }
              starred={marked.has(id)}
              onShare={setSharing}
              onStar={onStar}
            />
          ))}
        </ListSection>
      )}
      {/* It stays when the pad gets another name. */}
      {sharing !== null && <SharePadAt id={sharing} onClose={() => setSharing(null)} />}
    </>
  );
}

/** Sets or removes the bookmark of a pad. One function for all rows, which always stays the same. */
function useStarring(): (id: string) => void {
  const showError = useErrorToast();
  const { mutateAsync } = useToggleBookmark();
  return useCallback(
    (key: string) => void mutateAsync({ type: 'pads', key }).catch(showError),
    [mutateAsync, showError],
  );
}

interface FoundRowProps extends FoundPad {
  /** The name of its folder. */
  folder: string | undefined;
  starred: boolean;
  onShare: (id: string) => void;
  onStar: (id: string) => void;
}

/** Rendered again only when its pad has changed, because the list changes with every key. */
const FoundRow = memo(function FoundRow(props: FoundRowProps) {
  const { id, name, group, folder, starred, onShare, onStar } = props;
  const { t } = useTranslation();
  return (
    <Row
      href={paths.pad(group, id)}
      name={name}
      star={<PadIcon />}
      cells={[{ key: 'folder', width: '16rem', content: folder && t('bookmarks.in', { name: folder }) }]}
      menu={
        <PadQuickMenu
          pad={{ _id: id, name, group }}
          onShare={onShare}
          star={{ on: starred, onToggle: onStar }}
        />
      }
    />
  );
});
