import type { Pad } from '../../../../api/answers';
import {
  DuplicateIcon,
  EditIcon,
  ExpandViewIcon,
  MoveIcon,
  NewTabIcon,
  PresentIcon,
  RemoveChatIcon,
  RemoveIcon,
  SettingsIcon,
  StarIcon,
} from '../../components/icons';
import { Menu, type MenuItem } from '../../components/Menu';
import { useUser } from '../../data/configuration';
import { usePresent } from '../../data/pads';
import { useTranslation } from '../../i18n';
import { paths } from '../../paths';
import { usePadCopy } from '../padActions/usePadCopy';
import { usePadExport } from '../padActions/usePadExport';
import { useBookmark } from '../sharing/BookmarkStar';
import { type Siblings, useSiblingItems } from './PadSiblings';

/** Questions about the open pad, shown in a dialog. */
export type PadQuestion = 'share' | 'people' | 'move' | 'remove' | 'removeChatHistory';

export interface PadMenuProps {
  pad: Pad;
  siblings: Siblings | undefined;
  /** Whether the bar is too narrow for buttons. Their actions are in the menu then. */
  narrow: boolean;
  /** Whether it is a phone's, which has only the buttons Share and “…”. */
  tiny: boolean;
  ask: (question: PadQuestion) => void;
  onRename: () => void;
  onOpenTab: () => void;
  /** As in PadBar. */
  onExpand: (() => void) | undefined;
}

/** The menu "…" of an open pad. */
export function PadMenu(props: PadMenuProps) {
  const { pad, siblings, narrow, tiny, ask, onRename, onOpenTab, onExpand } = props;
  const { t } = useTranslation();
  const user = useUser();
  const siblingItems = useSiblingItems(siblings);
  const copy = usePadCopy({ open: true });
  const exporting = usePadExport(pad);
  const bookmark = useBookmark('pads', pad._id);
  const { abilities } = pad;
  const mayCopy = user !== undefined && siblings?.folder.group.abilities.createPad === true;
  const { count = 0 } = usePresent(pad._id) ?? {};
  const ofBar: MenuItem[] = [
    count > 1 && {
      label: t('present.count', { count }),
      icon: <PresentIcon />,
      onSelect: () => ask('people'),
    },
    abilities.edit && {
      label: t('padView.settings'),
      icon: <SettingsIcon />,
      href: paths.editPad(pad.group, pad._id),
    },
    { label: t('padView.newTab'), icon: <NewTabIcon />, onSelect: onOpenTab },
  ];
  const removing: MenuItem[] = [
    abilities.remove && 'line',
    abilities.removeChatHistory && {
      label: t('folderView.pad.removeChat'),
      icon: <RemoveChatIcon />,
      danger: true,
      onSelect: () => ask('removeChatHistory'),
    },
    abilities.remove && {
      label: t('folderView.pad.remove'),
      icon: <RemoveIcon />,
      danger: true,
      onSelect: () => ask('remove'),
    },
  ];
  return (
    <Menu
      label={t('padView.more', { name: pad.name })}
      items={[
        tiny &&
          onExpand !== undefined && {
            label: t('padView.expand'),
            icon: <ExpandViewIcon />,
            onSelect: onExpand,
          },
        tiny &&
          abilities.bookmark && {
            label: t(bookmark.on ? 'star.remove' : 'star.add'),
            icon: <StarIcon />,
            onSelect: bookmark.onToggle,
          },
        ...(narrow ? siblingItems : []),
        abilities.edit && { label: t('rename.action'), icon: <EditIcon />, onSelect: onRename },
        ...(narrow ? ofBar : []),
        mayCopy && { label: t('padActions.duplicate'), icon: <DuplicateIcon />, onSelect: () => copy(pad) },
        abilities.move && {
          label: t('folderView.pad.move'),
          icon: <MoveIcon />,
          onSelect: () => ask('move'),
        },
        ...exporting,
        ...removing,
      ]}
    />
  );
}
