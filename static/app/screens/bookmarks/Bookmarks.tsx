import { type ReactNode, useMemo, useState } from 'react';
import { LinkButton } from '../../components/Button';
import { Page } from '../../components/Page';
import { Rows } from '../../components/Rows';
import { EmptyState, Loading, SkeletonRows } from '../../components/States';
import { StarIcon } from '../../components/screenIcons';
import { useBookmarks } from '../../data/bookmarks';
import { useSettings } from '../../data/configuration';
import { type Groups, useGroups } from '../../data/folders';
import { folderOf, paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { FolderRow } from '../folders/FolderRow';
import { entriesOf, sortEntries } from '../folders/folderListing';
import { useFolderQuestions } from '../folders/useFolderQuestions';
import { PadLine } from '../padActions/PadLine';
import { SharePadAt } from '../padActions/PadQuickMenu';
import { BookmarkStar } from '../sharing/BookmarkStar';
import styles from './Bookmarks.module.css';

/** Bookmarked folders and pads, also of folders that the person does not belong to. */
export function Bookmarks({ self }: { self: string }) {
  const { t } = useTranslation();
  const query = useGroups();
  const { data } = query;
  return (
    <Page title={t('bookmarks.title')}>
      {data !== undefined && <Loaded groups={data} self={self} />}
      <Loading query={query} failed={t('bookmarks.failed')}>
        <SkeletonRows height={52} rows={5} />
      </Loading>
    </Page>
  );
}

function Loaded({ groups, self }: { groups: Groups; self: string }) {
  const { t, language } = useTranslation();
  const { groups: marked } = useBookmarks();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  const { questions, dialog } = useFolderQuestions(self);
  const [sharing, setSharing] = useState<string | null>(null);
  // The list keeps what it showed when the screen opened, so that a bookmark that was removed by mistake can be set
  // again. It does not keep what was in a folder of the person that is gone.
  const [{ bookmarks: before, groups: own }] = useState(groups);
  const { bookmarks: now } = groups;
  const isGone = (folder: string): boolean => folder in own && !(folder in groups.groups);
  const known = useMemo((): Groups => {
    const shown = Object.entries({ ...before.groups, ...groups.bookmarks.groups });
    return {
      ...groups,
      groups: Object.fromEntries(shown.map(([id, group]) => [id, groups.groups[id] ?? group])),
    };
  }, [groups, before]);
  const sorted = useMemo(
    () => sortEntries(entriesOf(known, marked), { by: 'name', ascending: true }, language),
    [known, marked, language],
  );
  const entries = sorted.filter(({ group: { _id: id } }) => !isGone(id) || id in now.groups);
  const pads = Object.values({ ...before.pads, ...now.pads })
    .filter((pad) => !isGone(folderOf(pad)) || pad._id in now.pads)
    .sort((one, other) => one.name.localeCompare(other.name, language));
  if (entries.length === 0 && pads.length === 0) {
    return (
      <EmptyState
        icon={<StarIcon />}
        title={t('bookmarks.empty.title')}
        action={<LinkButton href={paths.folders}>{t('action.toFolders')}</LinkButton>}
      >
        {t('bookmarks.empty.text')}
      </EmptyState>
    );
  }
  return (
    <>
      <Section title={t('folders.title')}>
        {entries.map((entry) => (
          <FolderRow
            key={entry.group._id}
            entry={entry}
            self={self}
            ask={questions}
            starred={marked.has(entry.group._id)}
            signedInOnly={signedInOnly}
          />
        ))}
      </Section>
      <Section title={t('folderView.pads')}>
        {pads.map((pad) => (
          <PadLine
            key={pad._id}
            pad={pad}
            group={groups.groups[folderOf(pad)] ?? known.groups[folderOf(pad)]}
            people={groups.users}
            star={<BookmarkStar small type="pads" id={pad._id} name={pad.name} />}
            onShare={setSharing}
          />
        ))}
      </Section>
      {dialog}
      {sharing !== null && <SharePadAt id={sharing} onClose={() => setSharing(null)} />}
    </>
  );
}

function Section({ title, children: rows }: { title: string; children: readonly ReactNode[] }) {
  if (rows.length === 0) return null;
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{title}</h2>
      <Rows label={title}>{rows}</Rows>
    </section>
  );
}
