import type { Group, Pad } from '../../../../api/wire';
import { Checkbox } from '../../components/Checkbox';
import { Chip, VisibilityChip } from '../../components/Chip';
import {
  EditIcon,
  MoveIcon,
  NewTabIcon,
  ReadonlyIcon,
  RemoveChatIcon,
  RemoveIcon,
  ShareIcon,
} from '../../components/icons';
import { Menu } from '../../components/Menu';
import { RelativeTime } from '../../components/RelativeTime';
import { useSettings } from '../../data/queries';
import { useTranslation } from '../../i18n';
import { Link } from '../../location';
import { places } from '../../places';
import { editorAddress } from '../padView/editorAddress';
import { BookmarkStar } from '../sharing/BookmarkStar';
import styles from './FolderView.module.css';
import type { PadQuestion } from './PadList';
import type { Selection } from './useSelection';

export interface PadRowProps {
  pad: Pad;
  group: Group;
  /** Where rows can be chosen. */
  selection?: Selection;
  ask: (question: PadQuestion) => void;
}

/** A pad in its folder's list. The whole row opens it; what else can be done lies above that link. */
export function PadRow({ pad, group, selection, ask }: PadRowProps) {
  const { t } = useTranslation();
  const { abilities } = pad;
  const selected = selection?.has(pad._id) ?? false;
  return (
    <li className={styles.row} data-selected={selected || undefined}>
      {selection !== undefined && (
        <span className={styles.control}>
          <Checkbox
            labelHidden
            label={t('folderView.select', { name: pad.name })}
            checked={selected}
            onChange={({ nativeEvent }) =>
              selection.toggle(pad._id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </span>
      )}
      {abilities.bookmark && (
        <span className={styles.control}>
          <BookmarkStar small type="pads" id={pad._id} name={pad.name} />
        </span>
      )}
      <div className={styles.about}>
        <Link href={places.pad(group._id, pad._id)} className={styles.name}>
          {pad.name}
        </Link>
        <div className={styles.details}>
          <PadChips pad={pad} group={group} />
          <span>
            {pad.lastUpdate === null ? (
              t('folderView.unchanged')
            ) : (
              <>
                <span className={styles.changed}>{t('folderView.changed')}</span>{' '}
                <RelativeTime time={pad.lastUpdate} />
              </>
            )}
          </span>
        </div>
      </div>
      <span className={styles.control}>
        <PadMenu pad={pad} group={group} ask={ask} />
      </span>
    </li>
  );
}

/** Only where the pad differs from its folder. */
function PadChips({ pad, group }: { pad: Pad; group: Group }) {
  const { t } = useTranslation();
  if (useSettings().allPadsPublicsAuthentifiedOnly) return null;
  return (
    <>
      {pad.visibility !== null && pad.visibility !== group.visibility && (
        <VisibilityChip visibility={pad.visibility} />
      )}
      {pad.visibility === 'private' && group.visibility === 'private' && (
        <Chip title={t('folderView.pad.ownPassword.help')}>{t('folderView.pad.ownPassword')}</Chip>
      )}
      {pad.effective.readonly && !group.readonly && (
        <Chip icon={<ReadonlyIcon />}>{t('folderView.pad.readonly')}</Chip>
      )}
      {!pad.effective.readonly && group.readonly && (
        <Chip icon={<EditIcon />}>{t('folderView.pad.writable')}</Chip>
      )}
    </>
  );
}

function PadMenu({ pad, group, ask }: Pick<PadRowProps, 'pad' | 'group' | 'ask'>) {
  const { t } = useTranslation();
  const { abilities } = pad;
  const signedInOnly = useSettings().allPadsPublicsAuthentifiedOnly;
  const shareable =
    signedInOnly || group.visibility !== 'restricted' || pad.effective.visibility !== 'restricted';
  const asking = (about: 'share' | 'remove' | 'removeChatHistory') => (): void =>
    ask({ about, pad: pad._id });
  return (
    <Menu
      label={t('folderView.pad.more', { name: pad.name })}
      items={[
        {
          label: t('folderView.pad.newTab'),
          icon: <NewTabIcon />,
          onSelect: () => void window.open(editorAddress(pad._id), '_blank', 'noopener'),
        },
        shareable && { label: t('folderView.pad.share'), icon: <ShareIcon />, onSelect: asking('share') },
        abilities.edit && {
          label: t('folderView.pad.edit'),
          icon: <EditIcon />,
          href: places.editPad(group._id, pad._id),
        },
        abilities.move && {
          label: t('folderView.pad.move'),
          icon: <MoveIcon />,
          href: places.movePads(group._id, [pad._id]),
        },
        (abilities.remove || abilities.removeChatHistory) && 'line',
        abilities.removeChatHistory && {
          label: t('folderView.pad.removeChat'),
          icon: <RemoveChatIcon />,
          danger: true,
          onSelect: asking('removeChatHistory'),
        },
        abilities.remove && {
          label: t('folderView.pad.remove'),
          icon: <RemoveIcon />,
          danger: true,
          onSelect: asking('remove'),
        },
      ]}
    />
  );
}
