import { useMemo } from 'react';
import { PadIcon } from '../../components/icons';
import { Row, Rows } from '../../components/Rows';
import type { Groups } from '../../data/folders';
import { usePadNames } from '../../data/pads';
import { useTranslation } from '../../i18n';
import { bestMatches, searchable, wordsOf } from '../../matching';
import { paths } from '../../paths';
import styles from './Folders.module.css';

/** Maximum number of pads in the list. Typing more words finds the others. */
const padsShown = 20;

/** A pad whose name fits the search in the list of folders. */
export interface FoundPad {
  id: string;
  name: string;
  group: string;
}

/** The pads that a search finds by their name; none for an empty search. */
export function useFoundPads(text: string): FoundPad[] {
  const searching = text !== '';
  const { data } = usePadNames(searching);
  const all = useMemo(
    () =>
      Object.entries((searching && data) || {}).flatMap(([group, pads]) =>
        pads.map(({ _id: id, name }) => ({ id, name, group, searched: searchable(name) })),
      ),
    [data, searching],
  );
  return useMemo(() => (searching ? bestMatches(all, wordsOf(text), padsShown) : []), [all, text, searching]);
}

/** The pads below the folders that were found. */
export function FoundPads({ pads, groups }: { pads: readonly FoundPad[]; groups: Groups }) {
  const { t } = useTranslation();
  if (pads.length === 0) return null;
  return (
    <section className={styles.section} aria-label={t('folders.section.pads')}>
      <h2 className={styles.heading}>
        {t('folders.section.pads')}
        <span className={styles.number}>{pads.length}</span>
      </h2>
      <Rows label={t('folders.section.pads')}>
        {pads.map(({ id, name, group }) => {
          const folder = groups.groups[group] ?? groups.bookmarks.groups[group];
          return (
            <Row
              key={id}
              href={paths.pad(group, id)}
              name={name}
              star={<PadIcon />}
              cells={[
                {
                  key: 'folder',
                  width: '16rem',
                  content: folder && t('bookmarks.in', { name: folder.name }),
                },
              ]}
            />
          );
        })}
      </Rows>
    </section>
  );
}
