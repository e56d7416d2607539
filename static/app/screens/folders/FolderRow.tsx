import { memo } from 'react';
import type { Group } from '../../../../api/wire';
import { AvatarStack } from '../../components/Avatar';
import { Checkbox } from '../../components/Checkbox';
import { Chip, VisibilityChip } from '../../components/Chip';
import {
  AddPadIcon,
  AdminIcon,
  ArchiveIcon,
  EditIcon,
  InviteIcon,
  LeaveIcon,
  ReadonlyIcon,
  RemoveIcon,
  ShareIcon,
  UnarchiveIcon,
} from '../../components/icons';
import { Menu } from '../../components/Menu';
import { RelativeTime } from '../../components/RelativeTime';
import { Row, type RowCell } from '../../components/Rows';
import { Star } from '../../components/Star';
import { useTranslation } from '../../i18n';
import { Link, placeWith } from '../../location';
import { places } from '../../places';
import styles from './Folders.module.css';
import type { Entry } from './listing';

/** What a row may ask for. */
export interface FolderQuestions {
  star: (group: Group) => void;
  share: (group: Group) => void;
  leave: (group: Group) => void;
  remove: (...entries: readonly Entry[]) => void;
  archive: (group: Group) => void;
}

export interface FolderRowProps {
  entry: Entry;
  ask: FolderQuestions;
  starred: boolean;
  /** Folders are open to everybody who signed in: nothing about visibility shows. */
  signedInOnly: boolean;
  selected?: boolean;
  /** Chooses the row or lets it go; with `range`, all since the last one. Without it there is no checkbox. */
  onSelect?: (id: string, range: boolean) => void;
}

/**
 * A folder in a list. Lists are long and answer while somebody types: a row asks for nothing itself, and is drawn again only when what it
 * shows has changed.
 */
export const FolderRow = memo(function FolderRow(props: FolderRowProps) {
  const { entry, ask, starred, signedInOnly, selected = false, onSelect } = props;
  const { t } = useTranslation();
  const { group, people, lastUpdate } = entry;
  const cells: (RowCell | false)[] = [
    !signedInOnly && {
      key: 'visibility',
      width: '8.25rem',
      content: <VisibilityChip visibility={group.visibility} />,
    },
    { key: 'pads', width: '4rem', content: t('folders.pads', { count: group.pads.length }) },
    {
      key: 'people',
      width: '6.75rem',
      wideOnly: true,
      content: people.length > 0 && <AvatarStack people={people} />,
    },
    { key: 'time', width: '8.25rem', content: <RelativeTime time={lastUpdate} /> },
  ];
  return (
    <Row
      href={places.folder(group._id)}
      name={group.name}
      selected={selected}
      quiet={entry.section === 'archived'}
      select={
        onSelect !== undefined && (
          <Checkbox
            labelHidden
            label={t('folders.select', { name: group.name })}
            checked={selected}
            disabled={!group.abilities.edit}
            onChange={({ nativeEvent }) =>
              onSelect(group._id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        )
      }
      star={
        group.abilities.bookmark && (
          <Star small name={group.name} on={starred} onToggle={() => ask.star(group)} />
        )
      }
      chips={<Marks group={group} signedInOnly={signedInOnly} />}
      cells={cells.filter((cell) => cell !== false)}
      menu={<FolderMenu entry={entry} ask={ask} signedInOnly={signedInOnly} />}
    />
  );
});

function Marks({ group, signedInOnly }: { group: Group; signedInOnly: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      {!signedInOnly && group.readonly && <Chip icon={<ReadonlyIcon />}>{t('folders.readonly')}</Chip>}
      {group.tags.map((tag) => (
        <Link
          key={tag}
          href={placeWith(places.folders, { tag })}
          className={styles.tag}
          title={t('folders.tag', { tag })}
        >
          {tag}
        </Link>
      ))}
    </>
  );
}

function FolderMenu({
  entry,
  ask,
  signedInOnly,
}: {
  entry: Entry;
  ask: FolderQuestions;
  signedInOnly: boolean;
}) {
  const { t } = useTranslation();
  const { group } = entry;
  const { _id: id, abilities } = group;
  const shareable = signedInOnly || group.visibility !== 'restricted';
  const inside = abilities.createPad || shareable || abilities.edit || abilities.invite || abilities.share;
  const outside = abilities.leave || abilities.remove;
  if (!inside && !outside) return null;
  return (
    <Menu
      label={t('folders.actions', { name: group.name })}
      items={() => [
        abilities.createPad && { label: t('folders.newPad'), icon: <AddPadIcon />, href: places.addPad(id) },
        shareable && { label: t('folders.share'), icon: <ShareIcon />, onSelect: () => ask.share(group) },
        abilities.invite && {
          label: t('folders.invite'),
          icon: <InviteIcon />,
          href: places.people(id, 'invite'),
        },
        abilities.share && {
          label: t('folders.admins'),
          icon: <AdminIcon />,
          href: places.people(id, 'share'),
        },
        abilities.edit && { label: t('folders.edit'), icon: <EditIcon />, href: places.editFolder(id) },
        abilities.edit &&
          !signedInOnly && {
            label: group.archived ? t('folders.unarchive') : t('folders.archive'),
            icon: group.archived ? <UnarchiveIcon /> : <ArchiveIcon />,
            onSelect: () => ask.archive(group),
          },
        inside && outside && 'line',
        abilities.leave && {
          label: t('folders.leave'),
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
