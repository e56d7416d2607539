import { useEffect, useRef, useState } from 'react';
import type { GroupAbilities } from '../../../../model/access/permissions';
import { Button } from '../../components/Button';
import { Chip, VisibilityChip } from '../../components/Chip';
import { classNames } from '../../components/classNames';
import { Menu, type MenuItem } from '../../components/Menu';
import { Page } from '../../components/Page';
import { TimeText } from '../../components/RelativeTime';
import { SkeletonRows } from '../../components/States';
import {
  AddPadIcon,
  ArchiveIcon,
  DownloadIcon,
  EditIcon,
  InviteIcon,
  LeaveIcon,
  MoveIcon,
  ReadonlyIcon,
  RemoveIcon,
  ShareIcon,
  TagIcon,
} from '../../components/screenIcons';
import { toasts } from '../../components/Toasts';
import { useSettings, useUser } from '../../data/configuration';
import { useUpdateGroup } from '../../data/folderChanges';
import { useGroup } from '../../data/folders';
import { useLastError } from '../../data/lastError';
import { navigate, pathOf, useLocation, withParameters } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useScreenActions } from '../../shell/screenActions';
import { useTranslation } from '../../texts/i18n';
import { PasswordQuestion } from '../access/PasswordQuestion';
import { Refusal, refusalKind, retrying } from '../access/Refusal';
import { NewPadInFolder } from '../newPad/NewPadButton';
import { LeaveFolder, RemoveFolder } from '../removal/RemoveFolder';
import { BookmarkStar } from '../sharing/BookmarkStar';
import type { Role } from '../sharing/changes';
import { ShareButton } from '../sharing/ShareButton';
import { ShareFolder } from '../sharing/ShareDialog';
import { useKeepItem } from '../sharing/useKeepItem';
import type { OpenFolder } from './FolderScreen';
import styles from './FolderView.module.css';
import { ExportDialog, HandOverDialog, MovePads } from './laterDialogs';
import { PadList } from './PadList';
import type { PadQuestion } from './PadRow';
import { PeoplePanel } from './PeoplePanel';

type FolderQuestion = { share: Role } | 'export' | 'handOver' | 'leave' | 'move' | 'remove';

export interface FolderViewProps {
  group: string;
  /** A question that a link asks to open over this screen. */
  ask?: 'remove' | { share: Role } | PadQuestion;
}

/** The screen of a folder: its settings, pads and people. */
export function FolderView({ group: id, ask }: FolderViewProps) {
  const { t } = useTranslation();
  const user = useUser();
  const query = useGroup(id);
  const { data, error } = useLastError(id, query);
  const crumbs = user === undefined ? [] : [{ label: t('folders.title'), href: paths.folders }];
  if (error !== null && (data === undefined || refusalKind(error) !== 'failed')) {
    return (
      <Page title={t('folder.title')} breadcrumb={crumbs}>
        <Refusal what="folder" id={id} error={error} {...retrying(query)} />
      </Page>
    );
  }
  if (data === undefined) {
    return (
      <Page key="loading" title={t('state.loading')} breadcrumb={crumbs}>
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
  return <Open key={id} folder={data} loading={query.isPlaceholderData} crumbs={crumbs} ask={ask} />;
}

interface OpenProps {
  folder: OpenFolder;
  /** The pads are not loaded yet. */
  loading: boolean;
  crumbs: { label: string; href: string }[];
  ask: FolderViewProps['ask'];
}

function Open({ folder, loading, crumbs, ask }: OpenProps) {
  const { group, pads, people } = folder;
  const { abilities } = group;
  const { mutateAsync: rename } = useUpdateGroup();
  const [question, setQuestion] = useState<FolderQuestion | null>(firstQuestion(ask, abilities));
  useRefusal(group._id, ask !== undefined && !mayDo(ask, abilities));
  const [here] = useLocation();
  // After a late answer, Back may have left the screen.
  const leadOn = (to: string): void => {
    if (here === pathOf(location.search)) navigate(to, { replace: true });
  };
  const close = (): void => {
    // A late answer to one question must not close the next.
    setQuestion((now) => (now === question ? null : now));
    if (ask !== undefined) leadOn(paths.folder(group._id));
  };
  const toFolders = (): void => leadOn(paths.folders);
  return (
    <Page
      title={group.name}
      onRename={abilities.edit ? (name) => rename({ id: group._id, name }) : undefined}
      breadcrumb={crumbs}
      intro={group.description === '' ? undefined : <Description text={group.description} />}
      // From the start: if it appeared with the pads, it would be under the pointer that is on one of the tools.
      action={
        abilities.createPad &&
        (loading ? group.pads : Object.keys(pads)).length > 0 && <NewPadInFolder folder={group} />
      }
      tools={
        <>
          {abilities.bookmark && <BookmarkStar type="groups" id={group._id} name={group.name} />}
          <ShareButton group={group} people={people} onClick={() => setQuestion({ share: 'users' })} />
          <FolderMenu folder={folder} ask={setQuestion} />
        </>
      }
      facts={<Facts folder={folder} />}
    >
      <div className={classNames(styles.columns, abilities.seePeople && styles.withPeople)}>
        {loading ? (
          <SkeletonRows />
        ) : (
          <PadList
            folder={folder}
            ask={typeof ask === 'object' && 'about' in ask ? ask : undefined}
            onAnswered={close}
          />
        )}
        {/* With the description, which would move its buttons. */}
        {!loading && (
          <PeoplePanel group={group} people={people} onShare={(share) => setQuestion({ share })} />
        )}
      </div>
      {typeof question === 'object' && question !== null && (
        <ShareFolder group={group} as={question.share} onClose={close} />
      )}
      {question === 'handOver' && <HandOverDialog group={group} onClose={close} />}
      {question === 'export' && <ExportDialog of={{ group }} onClose={close} />}
      {question === 'leave' && (
        <LeaveFolder group={group} pads={group.pads.length} onClose={close} onDone={toFolders} />
      )}
      {question === 'move' && !loading && (
        <MovePads choose from={group._id} pads={Object.values(pads)} onClose={close} />
      )}
      {question === 'remove' && (
        <RemoveFolder group={group} pads={group.pads.length} onClose={close} onDone={toFolders} />
      )}
    </Page>
  );
}

/** The description. On a phone only its first lines, and a button that shows the others. */
function Description({ text }: { text: string }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const [isCut, setCut] = useState(false);
  const paragraph = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const element = paragraph.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <p ref={paragraph} className={classNames(styles.description, all && styles.all)}>
        {text}
      </p>
      {isCut && !all && (
        <Button small kind="quiet" className={styles.more} onClick={() => setAll(true)}>
          {t('folderView.description.all')}
        </Button>
      )}
    </>
  );
}

/** Whether the person may do what a link asks for. Everybody may see the share dialog. */
function mayDo(ask: NonNullable<OpenProps['ask']>, { remove, edit }: GroupAbilities): boolean {
  if (ask === 'remove') return remove;
  return 'share' in ask || edit;
}

/** Says that a link asks for something that the person may not do, and shows the folder only. */
function useRefusal(group: string, refused: boolean): void {
  const { t } = useTranslation();
  useEffect(() => {
    if (!refused) return;
    navigate(paths.folder(group), { replace: true });
    toasts.warning(t('access.edit.denied'));
  }, [group, refused, t]);
}

/** The dialog that a link asks to open, if the person may use it. */
function firstQuestion(ask: OpenProps['ask'], abilities: GroupAbilities): FolderQuestion | null {
  if (ask === 'remove') return abilities.remove ? 'remove' : null;
  return typeof ask === 'object' && 'share' in ask ? ask : null;
}

function FolderMenu({ folder, ask }: { folder: OpenFolder; ask: (question: FolderQuestion) => void }) {
  const { t } = useTranslation();
  const { _id: id, abilities } = folder.group;
  const items: MenuItem[] = [
    useKeepItem(id),
    abilities.createPad && { label: t('newPad.withSettings'), icon: <AddPadIcon />, href: paths.addPad(id) },
    abilities.createPad && {
      label: t('import.title'),
      icon: <MoveIcon />,
      href: withParameters(paths.import, { group: id }),
    },
    abilities.edit && { label: t('folderView.edit'), icon: <EditIcon />, href: paths.editFolder(id) },
    abilities.edit &&
      folder.group.pads.length > 0 && {
        label: t('padMove.title'),
        icon: <MoveIcon />,
        onSelect: () => ask('move'),
      },
    abilities.export && { label: t('exports.action'), icon: <DownloadIcon />, onSelect: () => ask('export') },
    (abilities.leave || abilities.remove) && abilities.edit && 'line',
    abilities.share && { label: t('handover.action'), icon: <InviteIcon />, onSelect: () => ask('handOver') },
    abilities.leave && { label: t('remove.leave.submit'), icon: <LeaveIcon />, onSelect: () => ask('leave') },
    abilities.remove && {
      label: t('remove.folder.submit'),
      icon: <RemoveIcon />,
      danger: true,
      onSelect: () => ask('remove'),
    },
  ];
  const share = {
    label: t('share.button'),
    icon: <ShareIcon />,
    onSelect: () => ask({ share: 'users' }),
  };
  useScreenActions(folder.group.name, [share, ...items]);
  return items.every((item) => item === false) ? null : <Menu label={t('folderView.more')} items={items} />;
}

/** Tags that leave room for the pads on a phone. */
const tagsShown = 6;

function Facts({ folder: { group } }: { folder: OpenFolder }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(group.tags.length <= tagsShown + 2);
  const tags = all ? group.tags : group.tags.slice(0, tagsShown);
  const signedInOnly = useSettings().allPadsPublicsAuthentifiedOnly;
  return (
    <div className={styles.facts}>
      {!signedInOnly && <VisibilityChip visibility={group.visibility} />}
      {!signedInOnly && group.readonly && (
        <Chip icon={<ReadonlyIcon />} title={t('folderView.readonly.help')}>
          {t('folders.readonly')}
        </Chip>
      )}
      {!signedInOnly && group.archived && <Chip icon={<ArchiveIcon />}>{t('folderView.archived')}</Chip>}
      {tags.map((tag) => (
        <Chip key={tag} icon={<TagIcon />} title={tag}>
          {tag}
        </Chip>
      ))}
      {tags.length < group.tags.length && (
        <Button small kind="quiet" onClick={() => setAll(true)}>
          {t('nav.allTags', { count: group.tags.length })}
        </Button>
      )}
      <span className={styles.fact}>
        <TimeText text="folderView.created" time={group.ctime} />
      </span>
    </div>
  );
}
