import { useState } from 'react';
import { IconButton, LinkButton } from '../../components/Button';
import { Chip, VisibilityChip } from '../../components/Chip';
import {
  AddIcon,
  AdminIcon,
  ArchiveIcon,
  EditIcon,
  InviteIcon,
  LeaveIcon,
  MoveIcon,
  ReadonlyIcon,
  RemoveIcon,
  ShareIcon,
  TagIcon,
} from '../../components/icons';
import { Menu } from '../../components/Menu';
import { Page } from '../../components/Page';
import { RelativeTime } from '../../components/RelativeTime';
import { SkeletonRows } from '../../components/States';
import { useGroup, useSettings, useUser } from '../../data/queries';
import { useTranslation } from '../../i18n';
import { navigate } from '../../location';
import { places } from '../../places';
import { PasswordQuestion } from '../access/PasswordQuestion';
import { Refusal, refusalKind } from '../access/Refusal';
import { LeaveFolder, RemoveFolder } from '../removal/RemoveFolder';
import { BookmarkStar } from '../sharing/BookmarkStar';
import { ShareFolder } from '../sharing/ShareLinks';
import type { OpenFolder } from './FolderScreen';
import styles from './FolderView.module.css';
import { PadList, type PadQuestion } from './PadList';
import { PeoplePanel } from './PeoplePanel';

type FolderQuestion = 'share' | 'leave' | 'remove';

export interface FolderViewProps {
  group: string;
  /** A link asked for something that is asked in a dialog over this screen. */
  ask?: 'remove' | Extract<PadQuestion, { pad: string }>;
}

/** A folder: what it is, its pads, its people. */
export function FolderView({ group: id, ask }: FolderViewProps) {
  const { t } = useTranslation();
  const user = useUser();
  const query = useGroup(id);
  const { data, error } = query;
  const crumbs = user === undefined ? [] : [{ label: t('folders.title'), href: places.folders }];
  if (error !== null && (data === undefined || refusalKind(error) !== 'failed')) {
    return (
      <Page title={t('folder.title')} breadcrumb={crumbs}>
        <Refusal what="folder" error={error} busy={query.isFetching} onRetry={() => void query.refetch()} />
      </Page>
    );
  }
  if (data === undefined) {
    return (
      <Page title={t('state.loading')} breadcrumb={crumbs}>
        <SkeletonRows />
      </Page>
    );
  }
  if (data.locked) {
    return (
      <Page title={data.group.name} breadcrumb={crumbs} facts={<VisibilityChip visibility="private" />}>
        <PasswordQuestion what="group" id={id} />
      </Page>
    );
  }
  return <Open key={id} folder={data} crumbs={crumbs} ask={ask} />;
}

interface OpenProps {
  folder: OpenFolder;
  crumbs: { label: string; href: string }[];
  ask: FolderViewProps['ask'];
}

function Open({ folder, crumbs, ask }: OpenProps) {
  const { t } = useTranslation();
  const { group, pads, people } = folder;
  const { abilities } = group;
  const signedInOnly = useSettings().allPadsPublicsAuthentifiedOnly;
  const [question, setQuestion] = useState<FolderQuestion | null>(
    ask === 'remove' && abilities.remove ? 'remove' : null,
  );
  const close = (): void => {
    setQuestion(null);
    if (ask !== undefined) navigate(places.folder(group._id), { replace: true });
  };
  const shareable = signedInOnly || group.visibility !== 'restricted';
  return (
    <Page
      title={group.name}
      breadcrumb={crumbs}
      intro={group.description === '' ? undefined : group.description}
      action={
        abilities.createPad && Object.keys(pads).length > 0 ? (
          <LinkButton kind="primary" icon={<AddIcon />} href={places.addPad(group._id)}>
            {t('folderView.newPad')}
          </LinkButton>
        ) : undefined
      }
      tools={
        <>
          {abilities.bookmark && <BookmarkStar type="groups" id={group._id} name={group.name} />}
          {shareable && (
            <IconButton
              label={t('folderView.shareLink')}
              icon={<ShareIcon />}
              onClick={() => setQuestion('share')}
            />
          )}
          <FolderMenu folder={folder} ask={setQuestion} />
        </>
      }
      facts={<Facts folder={folder} />}
    >
      <div className={styles.columns}>
        <PadList folder={folder} ask={ask === 'remove' ? undefined : ask} onAnswered={close} />
        <PeoplePanel group={group} people={people} />
      </div>
      {question === 'share' && <ShareFolder group={group} onClose={close} />}
      {question === 'leave' && <LeaveFolder group={group} onClose={close} />}
      {question === 'remove' && <RemoveFolder group={group} onClose={close} />}
    </Page>
  );
}

function FolderMenu({ folder, ask }: { folder: OpenFolder; ask: (question: FolderQuestion) => void }) {
  const { t } = useTranslation();
  const { _id: id, abilities } = folder.group;
  const signedInOnly = useSettings().allPadsPublicsAuthentifiedOnly;
  const anything =
    abilities.edit || abilities.invite || abilities.share || abilities.leave || abilities.remove;
  if (!anything) return null;
  return (
    <Menu
      label={t('folderView.more')}
      items={[
        abilities.edit && { label: t('folderView.edit'), icon: <EditIcon />, href: places.editFolder(id) },
        abilities.invite &&
          !signedInOnly && {
            label: t('folderView.invite.manage'),
            icon: <InviteIcon />,
            href: places.people(id, 'invite'),
          },
        abilities.share && {
          label: t('folderView.share'),
          icon: <AdminIcon />,
          href: places.people(id, 'share'),
        },
        abilities.edit &&
          folder.group.pads.length > 0 && {
            label: t('folderView.movePads'),
            icon: <MoveIcon />,
            href: places.movePads(id),
          },
        (abilities.leave || abilities.remove) && abilities.edit && 'line',
        abilities.leave && {
          label: t('folderView.leave'),
          icon: <LeaveIcon />,
          onSelect: () => ask('leave'),
        },
        abilities.remove && {
          label: t('folderView.remove'),
          icon: <RemoveIcon />,
          danger: true,
          onSelect: () => ask('remove'),
        },
      ]}
    />
  );
}

function Facts({ folder: { group } }: { folder: OpenFolder }) {
  const { t } = useTranslation();
  const signedInOnly = useSettings().allPadsPublicsAuthentifiedOnly;
  return (
    <>
      {!signedInOnly && <VisibilityChip visibility={group.visibility} />}
      {!signedInOnly && group.readonly && (
        <Chip icon={<ReadonlyIcon />} title={t('folderView.readonly.help')}>
          {t('folderView.readonly')}
        </Chip>
      )}
      {!signedInOnly && group.archived && <Chip icon={<ArchiveIcon />}>{t('folderView.archived')}</Chip>}
      {group.tags.map((tag) => (
        <Chip key={tag} icon={<TagIcon />}>
          {tag}
        </Chip>
      ))}
      <span className={styles.fact}>
        {t('folderView.created')} <RelativeTime time={group.ctime} />
      </span>
    </>
  );
}
