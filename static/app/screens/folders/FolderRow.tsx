import { memo, useState } from 'react';
import type { PresentIds } from '../../../../api/group/schema';
import { AvatarStack } from '../../components/Avatar';
import { Chip, PresentChip, VisibilityChip } from '../../components/Chip';
import { Menu } from '../../components/Menu';
import { ChangeTime } from '../../components/RelativeTime';
import { RenameField } from '../../components/RenameField';
import { Row, type RowCell } from '../../components/Rows';
import { Star } from '../../components/Star';
import {
  AddPadIcon,
  ArchiveIcon,
  EditIcon,
  LeaveIcon,
  ReadonlyIcon,
  RemoveIcon,
  SettingsIcon,
  ShareIcon,
  UnarchiveIcon,
} from '../../components/screenIcons';
import type { ListedFolder } from '../../data/folders';
import { Link, withParameters } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { EditorName } from '../people/LastEditor';
import styles from './Folders.module.css';
import type { Entry } from './folderListing';

/** Questions that the menu of a row can open. */
export interface FolderQuestions {
  newPad: (group: ListedFolder) => void;
  star: (group: ListedFolder) => void;
  share: (group: ListedFolder) => void;
  leave: (group: ListedFolder) => void;
  remove: (...entries: readonly Entry[]) => void;
  archive: (group: ListedFolder) => void;
  rename: (group: ListedFolder, name: string) => Promise<unknown>;
  tag: (groups: readonly ListedFolder[]) => void;
}

export interface FolderRowProps {
  entry: Entry;
  /** Who has pads of the folder open. */
  present?: PresentIds | undefined;
  /** The id of the person who looks at the list. */
  self: string;
  ask: FolderQuestions;
  starred: boolean;
  /** The setting allPadsPublicsAuthentifiedOnly is on. Visibility and members have no effect then and are not shown. */
  signedInOnly: boolean;
  /** Filters the list by a tag too, or no longer. Without it, tags are links to the list of folders. */
  onTag?: (tag: string) => void;
  /** The tags that the list is filtered by. Always the same array while they are the same. */
  tags?: readonly string[];
  selected?: boolean;
  /** Selects or deselects the row; with `range`, all rows since the last one. Without it there is no checkbox. */
  onSelect?: (id: string, range: boolean) => void;
}

/** The widths of the columns, for their headings too. */
export const folderColumns = {
  visibility: { key: 'visibility', width: '9.75rem', narrow: '8.25rem', chip: true },
  pads: { key: 'pads', width: '6.5rem', narrow: '4.75rem' },
  people: { key: 'people', width: '6.75rem', narrow: '5.75rem', columnOnly: true },
  time: { key: 'time', width: '8.25rem', narrow: '6.75rem' },
} as const;

/** The columns of a pad in a list beside folders: its own one has the room of those that only folders have. */
export const padColumns = {
  visibility: { ...folderColumns.visibility, columnOnly: true },
  folder: { key: 'folder', width: '14rem', narrow: '11rem' },
  time: folderColumns.time,
} as const;

/**
 * A folder in a list. Lists are long and must react while the person types, so a row loads nothing itself and is
 * rendered again only when its data has changed.
 */
export const FolderRow = memo(function FolderRow(props: FolderRowProps) {
  const { entry, present, self, ask, starred, signedInOnly, onTag, tags, selected = false, onSelect } = props;
  const { t } = useTranslation();
  const { group, people } = entry;
  const [renaming, setRenaming] = useState(false);
  const cells: (RowCell | false)[] = [
    !signedInOnly && {
      ...folderColumns.visibility,
      content: <VisibilityChip visibility={group.visibility} />,
    },
    { ...folderColumns.pads, content: t('folders.pads', { count: group.padCount }) },
    !signedInOnly && {
      ...folderColumns.people,
      content: people.length > 0 && <Faces entry={entry} onShare={() => ask.share(group)} />,
    },
    { ...folderColumns.time, content: <LastChange entry={entry} self={self} /> },
  ];
  return (
    <Row
      href={paths.folder(group._id)}
      name={group.name}
      rename={
        renaming && (
          <RenameField
            name={group.name}
            onSave={(name) => ask.rename(group, name)}
            onClose={() => setRenaming(false)}
          />
        )
      }
      selected={selected}
      muted={entry.section === 'archived'}
      onSelect={onSelect && ((range) => onSelect(group._id, range))}
      star={
        group.abilities.bookmark && (
          <Star
            small
            type="groups"
            id={group._id}
            name={group.name}
            on={starred}
            onToggle={() => ask.star(group)}
          />
        )
      }
      chips={
        <Marks entry={entry} present={present} signedInOnly={signedInOnly} onTag={onTag} active={tags} />
      }
      cells={cells.filter((cell) => cell !== false)}
      onEdit={group.abilities.edit ? () => setRenaming(true) : undefined}
      menu={
        <FolderMenu entry={entry} ask={ask} signedInOnly={signedInOnly} onRename={() => setRenaming(true)} />
      }
    />
  );
});

function LastChange({ entry: { group, people }, self }: Pick<FolderRowProps, 'entry' | 'self'>) {
  const { lastUpdate, lastEditor } = group;
  const editor = typeof lastEditor === 'string' ? people.find(({ _id }) => _id === lastEditor) : lastEditor;
  return (
    <>
      <ChangeTime time={lastUpdate} />
      <div className={styles.editor}>
        <EditorName editor={editor} self={self} />
      </div>
    </>
  );
}

/** Who is in the folder. Opens the share dialog. */
function Faces({ entry: { group, people }, onShare }: { entry: Entry; onShare: () => void }) {
  const { t } = useTranslation();
  const label = t('folders.people', { name: group.name, count: people.length });
  return (
    <button type="button" className={styles.faces} aria-haspopup="dialog" onClick={onShare}>
      <span className="visually-hidden">{label}</span>
      <span aria-hidden="true">
        <AvatarStack most={3} people={people} />
      </span>
    </button>
  );
}

interface MarksProps extends Pick<FolderRowProps, 'entry' | 'present' | 'signedInOnly' | 'onTag'> {
  active: readonly string[] | undefined;
}

/** The screen of the folder has them all. */
const tagsShown = 8;

function Marks({ entry: { group, people }, present, signedInOnly, onTag, active = [] }: MarksProps) {
  const { t, digits, list } = useTranslation();
  const more = group.tags.slice(tagsShown);
  return (
    <>
      {present && (
        <PresentChip
          count={present.count}
          people={people.filter(({ _id }) => present.people.includes(_id))}
        />
      )}
      {!signedInOnly && group.readonly && <Chip icon={<ReadonlyIcon />}>{t('folders.readonly')}</Chip>}
      {group.tags.slice(0, tagsShown).map((tag) => {
        const props = { className: styles.tag, title: t('folders.tag', { tag }) };
        return onTag === undefined ? (
          <Link key={tag} {...props} href={withParameters(paths.folders, { tag })}>
            {tag}
          </Link>
        ) : (
          <button
            key={tag}
            {...props}
            type="button"
            aria-pressed={active.includes(tag)}
            onClick={() => onTag(tag)}
          >
            {tag}
          </button>
        );
      })}
      {more.length > 0 && (
        <span className={styles.tag} title={list(more)}>
          +{digits(more.length)}
        </span>
      )}
    </>
  );
}

interface FolderMenuProps extends Pick<FolderRowProps, 'entry' | 'ask' | 'signedInOnly'> {
  onRename: () => void;
}

function FolderMenu({ entry, ask, signedInOnly, onRename }: FolderMenuProps) {
  const { t } = useTranslation();
  const { group } = entry;
  const { _id: id, abilities } = group;
  const outside = abilities.leave || abilities.remove;
  return (
    <Menu
      label={t('folders.actions', { name: group.name })}
      items={() => [
        abilities.createPad && {
          label: t('newPad.title'),
          icon: <AddPadIcon />,
          onSelect: () => ask.newPad(group),
        },
        { label: t('share.button'), icon: <ShareIcon />, onSelect: () => ask.share(group) },
        abilities.edit && { label: t('rename.action'), icon: <EditIcon />, onSelect: onRename },
        abilities.edit && { label: t('folderView.edit'), icon: <SettingsIcon />, href: paths.editFolder(id) },
        abilities.edit &&
          !signedInOnly && {
            label: group.archived ? t('folders.unarchive') : t('folders.archive'),
            icon: group.archived ? <UnarchiveIcon /> : <ArchiveIcon />,
            onSelect: () => ask.archive(group),
          },
        outside && 'line',
        abilities.leave && {
          label: t('remove.leave.submit'),
          icon: <LeaveIcon />,
          onSelect: () => ask.leave(group),
        },
        abilities.remove && {
          label: t('folders.remove'),
          icon: <RemoveIcon />,
          danger: true,
          onSelect: () => ask.remove(entry),
        },
      ]}
    />
  );
}
