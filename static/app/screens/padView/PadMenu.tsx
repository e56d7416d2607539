import type { ReactNode } from 'react';
import type { Pad } from '../../../../api/answers';
import { TimeIcon } from '../../components/icons';
import { Menu, type MenuItem } from '../../components/Menu';
import {
  DuplicateIcon,
  EditIcon,
  ExpandViewIcon,
  LinkIcon,
  MoveIcon,
  NewTabIcon,
  PresentIcon,
  RemoveChatIcon,
  RemoveIcon,
  SettingsIcon,
  ShareIcon,
  StarIcon,
} from '../../components/screenIcons';
import { useUser } from '../../data/configuration';
import { usePresent } from '../../data/pads';
import { withParameters } from '../../navigation/location';
import { folderOf, paths } from '../../navigation/paths';
import { useScreenActions } from '../../shell/screenActions';
import { useTranslation } from '../../texts/i18n';
import { useMayAsk } from '../access/AskForAccess';
import { usePadCopy } from '../padActions/usePadCopy';
import { usePadExport } from '../padActions/usePadExport';
import { useTemplateItem } from '../padActions/useTemplateItem';
import { useBookmark } from '../sharing/BookmarkStar';
import { useKeepItem } from '../sharing/useKeepItem';
import { type Siblings, useSteps } from './PadSiblings';

/** Questions about the open pad, shown in a dialog. */
export type PadQuestion = 'share' | 'ask' | 'people' | 'move' | 'remove' | 'removeChatHistory';

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

/** The actions by where they are: in the menu of a phone's bar, of a narrow bar, or of every bar. */
function useItems(props: PadMenuProps) {
  const { pad, siblings, ask, onRename, onOpenTab, onExpand } = props;
  const { t } = useTranslation();
  const user = useUser();
  const copy = usePadCopy({ open: true });
  const exporting = usePadExport(pad);
  const bookmark = useBookmark('pads', pad._id);
  const { abilities } = pad;
  const mayCopy = user !== undefined && siblings?.folder.group.abilities.createPad === true;
  const { count = 0 } = usePresent(pad._id) ?? {};
  const mayAsk = useMayAsk();
  const ofBar: MenuItem[] = [
    count > 1 && {
      label: t('present.count', { count }),
      icon: <PresentIcon />,
      onSelect: () => ask('people'),
    },
    { label: t('padActions.newTab'), icon: <NewTabIcon />, onSelect: onOpenTab },
    abilities.askToWrite &&
      mayAsk && { label: t('requests.askToWrite'), icon: <EditIcon />, onSelect: () => ask('ask') },
  ];
  const removing: MenuItem[] = [
    abilities.remove && 'line',
    abilities.removeChatHistory && {
      label: t('remove.chat.submit'),
      icon: <RemoveChatIcon />,
      danger: true,
      onSelect: () => ask('removeChatHistory'),
    },
    abilities.remove && {
      label: t('remove.pad.submit'),
      icon: <RemoveIcon />,
      danger: true,
      onSelect: () => ask('remove'),
    },
  ];
  const expanding: MenuItem[] = [
    onExpand !== undefined && { label: t('padView.expand'), icon: <ExpandViewIcon />, onSelect: onExpand },
    abilities.bookmark && {
      label: t(bookmark.on ? 'star.remove' : 'star.add'),
      icon: <StarIcon />,
      onSelect: bookmark.onToggle,
    },
  ];
  const editing: MenuItem[] = [
    abilities.edit && { label: t('rename.action'), icon: <EditIcon />, onSelect: onRename },
    abilities.edit && {
      label: t('padView.settings'),
      icon: <SettingsIcon />,
      href: withParameters(paths.editPad(folderOf(pad), pad._id), { from: 'pad' }),
    },
  ];
  const copying: MenuItem[] = [
    useKeepItem(pad._id),
    mayCopy && { label: t('padActions.duplicate'), icon: <DuplicateIcon />, onSelect: () => copy(pad) },
    useTemplateItem(pad),
    abilities.move && { label: t('folderView.pad.move'), icon: <MoveIcon />, onSelect: () => ask('move') },
  ];
  return { expanding, editing, ofBar, copying, exporting, removing };
}

/**
 * Actions of Etherpad whose buttons are hidden inside the app (static/pad/controls.ts), because the app has similar
 * ones for something else. Missing ones are not in the toolbar of this server, or not for this person.
 */
function useEditorItems({ abilities }: Pad): () => MenuItem[] {
  const { t } = useTranslation();
  const item = (key: string, label: string, icon: ReactNode): MenuItem => {
    const editor = document.querySelector<HTMLIFrameElement>('main iframe')?.contentDocument;
    const button = editor?.querySelector<HTMLElement>(`#editbar [data-key="${key}"] button`);
    return button ? { label, icon, onSelect: () => button.click() } : false;
  };
  return () => [
    abilities.enter === 'write' && item('savedRevision', t('padActions.saveVersion'), <TimeIcon />),
    item('embed', t('padActions.embed'), <LinkIcon />),
  ];
}

/** The menu "…" of an open pad. */
export function PadMenu(props: PadMenuProps) {
  const { pad, siblings, narrow, tiny, ask } = props;
  const { t } = useTranslation();
  const steps = useSteps(siblings);
  const { expanding, editing, ofBar, copying, exporting, removing } = useItems(props);
  const ofEditor = useEditorItems(pad);
  const share = { label: t('share.button'), icon: <ShareIcon />, onSelect: () => ask('share') };
  useScreenActions(pad.name, [
    share,
    ...expanding,
    ...editing,
    ...ofBar,
    ...copying,
    ...exporting,
    ...removing,
  ]);
  return (
    <Menu
      label={t('padActions.more', { name: pad.name })}
      items={() => [
        ...(tiny ? expanding : []),
        ...(narrow ? steps : []),
        ...editing,
        ...(narrow ? ofBar : []),
        ...copying,
        ...ofEditor(),
        ...exporting,
        ...removing,
      ]}
    />
  );
}
