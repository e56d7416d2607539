import { type DragEvent, useState } from 'react';
import type { Group, Pad, Person } from '../../../../api/answers';
import type { PresentIds } from '../../../../api/group/schema';
import { Chip, PresentChip, VisibilityChip } from '../../components/Chip';
import { Menu } from '../../components/Menu';
import { ChangeTime } from '../../components/RelativeTime';
import { RenameField } from '../../components/RenameField';
import { Row, type RowCell } from '../../components/Rows';
import {
  DuplicateIcon,
  EditIcon,
  MoveIcon,
  NewTabIcon,
  ReadonlyIcon,
  RemoveChatIcon,
  RemoveIcon,
  SettingsIcon,
  ShareIcon,
  TemplateIcon,
} from '../../components/screenIcons';
import { useSettings } from '../../data/configuration';
import { useUpdatePad } from '../../data/padChanges';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { usePadCopy } from '../padActions/usePadCopy';
import { usePadExport } from '../padActions/usePadExport';
import { useTemplateItem } from '../padActions/useTemplateItem';
import { endDrag, startDrag } from '../padMove/dragging';
import { editorAddress } from '../padView/editorAddress';
import { editorOf, LastEditor } from '../people/LastEditor';
import { BookmarkStar } from '../sharing/BookmarkStar';
import styles from './FolderView.module.css';
import type { Selection } from './useSelection';

/** Questions about a pad, shown in a dialog over the list. */
export type PadQuestion =
  | { about: 'share' | 'remove' | 'removeChatHistory'; pad: string }
  | { about: 'removeSelected'; pads: Pad[] }
  | { about: 'export'; pads: Pad[] }
  /** Without pads, the dialog asks for them. */
  | { about: 'move'; pads: readonly string[] };

export interface PadRowProps {
  pad: Pad;
  group: Group;
  /** The people of the folder by id, as far as the person may see them. */
  people: Readonly<Record<string, Person>>;
  /** The selection, if rows can be selected. */
  selection?: Selection;
  /** Who has the pad open. */
  present: PresentIds | undefined;
  ask: (question: PadQuestion) => void;
}

/** The width of the column, for its heading too. */
export const padColumns = {
  time: { key: 'time', width: '10.5rem' },
} as const;

/** A pad in its folder's list. */
export function PadRow({ pad, group, people, selection, present, ask }: PadRowProps) {
  const { t } = useTranslation();
  const { mutateAsync: update } = useUpdatePad(pad._id);
  const [renaming, setRenaming] = useState(false);
  const rename = (): void => setRenaming(true);
  const editor = group.abilities.seePeople ? editorOf(pad, people) : undefined;
  const time: RowCell = {
    ...padColumns.time,
    content: (
      <>
        <LastChange time={pad.lastUpdate} />
        {editor !== undefined && (
          <div className={styles.editor}>
            <LastEditor editor={editor} />
          </div>
        )}
      </>
    ),
  };
  const drag = (event: DragEvent): void => {
    const ids = selection?.has(pad._id) ? selection.ids : [pad._id];
    const text = ids.length === 1 ? pad.name : t('folders.pads', { count: ids.length });
    startDrag(event, { from: group._id, ids }, text);
  };
  return (
    <Row
      href={paths.pad(group._id, pad._id)}
      name={pad.name}
      rename={
        renaming && (
          <RenameField
            name={pad.name}
            onSave={(name) => update({ name })}
            onClose={() => setRenaming(false)}
          />
        )
      }
      selected={selection?.has(pad._id)}
      onSelect={selection && ((range) => selection.toggle(pad._id, range))}
      star={pad.abilities.bookmark && <BookmarkStar small type="pads" id={pad._id} name={pad.name} />}
      chips={
        <>
          {present && (
            <PresentChip count={present.count} people={present.people.flatMap((id) => people[id] ?? [])} />
          )}
          <PadChips pad={pad} group={group} />
        </>
      }
      cells={[time]}
      onDrag={pad.abilities.move ? { start: drag, end: endDrag } : undefined}
      onEdit={pad.abilities.edit ? rename : undefined}
      menu={<PadMenu pad={pad} group={group} ask={ask} onRename={rename} />}
    />
  );
}

function LastChange({ time }: { time: number | null }) {
  const { t } = useTranslation();
  return time === null ? t('folderView.unchanged') : <ChangeTime time={time} />;
}

/** Shown only if the pad differs from its folder. */
function PadChips({ pad, group }: { pad: Pad; group: Group }) {
  const { t } = useTranslation();
  const template = pad.template && <Chip icon={<TemplateIcon />}>{t('template.chip')}</Chip>;
  if (useSettings().allPadsPublicsAuthentifiedOnly) return template;
  return (
    <>
      {template}
      {pad.visibility !== null && pad.visibility !== group.visibility && (
        <VisibilityChip visibility={pad.visibility} />
      )}
      {pad.visibility === 'private' && group.visibility === 'private' && (
        <Chip title={t('folderView.pad.ownPassword.help')}>{t('folderView.pad.ownPassword')}</Chip>
      )}
      {pad.effective.readonly && !group.readonly && (
        <Chip icon={<ReadonlyIcon />}>{t('padView.readonly')}</Chip>
      )}
      {!pad.effective.readonly && group.readonly && (
        <Chip icon={<EditIcon />}>{t('folderView.pad.writable')}</Chip>
      )}
    </>
  );
}

interface PadMenuProps extends Pick<PadRowProps, 'pad' | 'group' | 'ask'> {
  onRename: () => void;
}

function PadMenu({ pad, group, ask, onRename }: PadMenuProps) {
  const { t } = useTranslation();
  const { abilities } = pad;
  const copy = usePadCopy();
  const exporting = usePadExport(pad);
  const template = useTemplateItem(pad);
  const asking = (about: 'share' | 'remove' | 'removeChatHistory') => (): void =>
    ask({ about, pad: pad._id });
  return (
    <Menu
      label={t('padActions.more', { name: pad.name })}
      items={[
        {
          label: t('padActions.newTab'),
          icon: <NewTabIcon />,
          onSelect: () => void window.open(editorAddress(pad._id), '_blank', 'noopener'),
        },
        { label: t('share.button'), icon: <ShareIcon />, onSelect: asking('share') },
        abilities.edit && { label: t('rename.action'), icon: <EditIcon />, onSelect: onRename },
        abilities.edit && {
          label: t('padView.settings'),
          icon: <SettingsIcon />,
          href: paths.editPad(group._id, pad._id),
        },
        group.abilities.createPad && {
          label: t('padActions.duplicate'),
          icon: <DuplicateIcon />,
          onSelect: () => copy(pad),
        },
        template,
        abilities.move && {
          label: t('folderView.pad.move'),
          icon: <MoveIcon />,
          onSelect: () => ask({ about: 'move', pads: [pad._id] }),
        },
        ...exporting,
        (abilities.remove || abilities.removeChatHistory) && 'line',
        abilities.removeChatHistory && {
          label: t('remove.chat.submit'),
          icon: <RemoveChatIcon />,
          danger: true,
          onSelect: asking('removeChatHistory'),
        },
        abilities.remove && {
          label: t('remove.pad.submit'),
          icon: <RemoveIcon />,
          danger: true,
          onSelect: asking('remove'),
        },
      ]}
    />
  );
}
