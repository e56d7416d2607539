import { useEffect, useState } from 'react';
import type { Group, Pad } from '../../../../api/answers';
import { Dialog } from '../../components/Dialog';
import { ErrorState } from '../../components/States';
import { useSettings, useUser } from '../../data/configuration';
import { useGroup } from '../../data/folders';
import { useShown } from '../../lib/useShown';
import { folderOf, paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { refusalKind } from '../access/Refusal';
import type { OpenFolder } from '../folders/FolderScreen';
import { OwnLinks } from '../folders/laterDialogs';
import { later } from '../laterForms';
import { type AddedAs, peopleIn, type Role, roleOf } from './changes';
import { LinkField, useWhoGetsIn } from './LinkField';
import { LoadingShareForm } from './LoadingShareForm';
import { PeopleRows } from './PeopleRows';
import styles from './Sharing.module.css';
import type { ShareRound } from './values';

const LoadedShareForm = later((forms) => forms.ShareForm, <LoadingShareForm />);

export interface ShareFolderProps {
  group: Pick<Group, '_id' | 'name' | 'visibility'>;
  /** The role that is preselected for people to add; members by default. */
  as?: Role;
  onClose: () => void;
}

/** Shares a folder: its people, who can open it, and its link. */
export function ShareFolder({ group, as, onClose }: ShareFolderProps) {
  return <ShareDialog folder={group._id} name={group.name} group={group} as={as} onClose={onClose} />;
}

/** Shares a pad: people who get it alone, the people of its folder, who can open it, and its links. */
export function SharePad({ pad, onClose }: { pad: Pad; onClose: () => void }) {
  return <ShareDialog folder={pad.group ?? ''} name={pad.name} pad={pad} as="writer" onClose={onClose} />;
}

interface ShareDialogProps {
  /** The id of the folder that is shared, or that the pad is in. */
  folder: string;
  name: string;
  /** What is known of the folder before it is loaded. Missing for a pad. */
  group?: ShareFolderProps['group'];
  pad?: Pad;
  as?: AddedAs;
  onClose: () => void;
}

/** Everybody who may open the folder or pad sees its people and its link. Administrators of the folder change them. */
function ShareDialog({ folder: id, name, group, pad, as = 'users', onClose }: ShareDialogProps) {
  const { t } = useTranslation();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  const { data, error, isPending, isPlaceholderData, refetch } = useGroup(id);
  const [leaving, setLeaving] = useState(false);
  const [round, setRound] = useState<ShareRound>({ number: 0, as, absent: [], invitable: [], copied: false });
  // Closed while it is saved: the late answer must not close what is open by then.
  const shown = useShown();
  // Waits until the form is gone: closing may open another screen, and a form with changes would ask again.
  useEffect(() => {
    if (leaving) onClose();
  }, [leaving, onClose]);
  const folder = data?.locked === false ? data : undefined;
  const loading = id !== '' && (isPending || isPlaceholderData);
  const visibility = pad?.effective.visibility ?? folder?.group.visibility ?? group?.visibility;
  const help = useWhoGetsIn(visibility ?? 'restricted');
  // Members make no link to a pad whose password they have not entered.
  const isClosed = pad?.abilities.enter === 'password';
  const canBeLinked = !signedInOnly && !isClosed && !pad?._id.startsWith('r.');
  const content = () => {
    if (leaving) return null;
    // Nobody changes a pad that they opened by its read-only id.
    if (folder?.group.abilities.share && !loading && pad?.abilities.edit !== false) {
      return (
        <LoadedShareForm
          key={round.number}
          folder={folder}
          pad={pad}
          round={round}
          onStay={(next) => setRound({ ...next, number: round.number + 1 })}
          onCancel={() => setLeaving(true)}
          onClose={() => shown.current && onClose()}
        />
      );
    }
    return (
      <>
        <LinkField
          path={pad ? paths.pad(folderOf(pad), pad._id) : paths.folder(id)}
          help={help}
          focused={!loading}
        />
        {folder?.group.abilities.link && canBeLinked && <OwnLinks folder={folder} pad={pad} />}
        {loading ? <LoadingShareForm /> : folder && <FolderPeople folder={folder} />}
        {error !== null && folder === undefined && refusalKind(error) === 'failed' && (
          <ErrorState title={t('access.folder.failed')} error={error} onRetry={() => void refetch()} />
        )}
      </>
    );
  };
  return (
    <Dialog title={t('share.title', { name })} size="medium" onClose={() => setLeaving(true)}>
      {content()}
    </Dialog>
  );
}

/** The people of a folder for those who may not change them. */
function FolderPeople({ folder: { group, people } }: { folder: OpenFolder }) {
  const { t } = useTranslation();
  const user = useUser();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  const shown = peopleIn(group, people, signedInOnly);
  if (!group.abilities.seePeople || shown.length === 0) return null;
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>{t('share.people', { name: group.name })}</h3>
      <PeopleRows
        label={t('share.people', { name: group.name })}
        people={shown}
        role={({ _id: id }) => <span className={styles.role}>{t(`share.role.${roleOf(group, id)}`)}</span>}
      />
      {user !== undefined && <p className={styles.note}>{t('share.viewer')}</p>}
    </section>
  );
}
