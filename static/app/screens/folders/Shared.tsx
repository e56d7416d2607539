import { useState } from 'react';
import { VisibilityChip } from '../../components/Chip';
import { ConfirmDialog } from '../../components/ConfirmDialog';
import { Menu, type MenuAction } from '../../components/Menu';
import { ChangeTime } from '../../components/RelativeTime';
import { Row } from '../../components/Rows';
import { FolderIcon, LeaveIcon, PadIcon } from '../../components/screenIcons';
import { useLeaveShared } from '../../data/access';
import type { Groups, ListedFolder } from '../../data/folders';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { PadLine } from '../padActions/PadLine';
import { SharePadAt } from '../padActions/PadQuickMenu';
import { padColumns } from './FolderRow';
import { ListSection } from './ListSection';
import type { SharedThing } from './useShared';

/** The section of the list of folders with these folders and pads. */
export function Shared({ things, groups }: { things: readonly SharedThing[]; groups: Groups }) {
  const { t } = useTranslation();
  const [sharing, setSharing] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<SharedThing | null>(null);
  return (
    <>
      {things.length > 0 && (
        <ListSection unnamed label={t('shared.title')} count={things.length}>
          {things.map((thing) => {
            const leave = {
              label: t('shared.remove'),
              icon: <LeaveIcon />,
              onSelect: () => setLeaving(thing),
            };
            const folder = groups.shared.groups[thing._id];
            return thing.pad === null ? (
              folder && <SharedFolder key={thing._id} folder={folder} leave={leave} />
            ) : (
              <PadLine
                key={thing._id}
                pad={thing.pad}
                group={undefined}
                people={groups.users}
                star={<PadIcon />}
                onShare={setSharing}
                more={leave}
              />
            );
          })}
        </ListSection>
      )}
      {sharing !== null && <SharePadAt id={sharing} onClose={() => setSharing(null)} />}
      {leaving !== null && <LeaveShared thing={leaving} onClose={() => setLeaving(null)} />}
    </>
  );
}

function SharedFolder({ folder, leave }: { folder: ListedFolder; leave: MenuAction }) {
  const { t } = useTranslation();
  return (
    <Row
      href={paths.folder(folder._id)}
      name={folder.name}
      star={<FolderIcon />}
      cells={[
        { ...padColumns.visibility, content: <VisibilityChip visibility={folder.visibility} /> },
        { ...padColumns.folder, content: null },
        { ...padColumns.time, content: <ChangeTime time={folder.lastUpdate} /> },
      ]}
      menu={<Menu label={t('folders.actions', { name: folder.name })} items={() => [leave]} />}
    />
  );
}

function LeaveShared({ thing: { _id: id, name }, onClose }: { thing: SharedThing; onClose: () => void }) {
  const { t } = useTranslation();
  const leave = useLeaveShared();
  return (
    <ConfirmDialog
      danger
      title={t('shared.remove.title', { name })}
      action={t('shared.remove.submit')}
      onClose={onClose}
      onConfirm={async () => {
        await leave.mutateAsync(id);
        onClose();
      }}
    >
      <p>{t('shared.remove.text')}</p>
    </ConfirmDialog>
  );
}
