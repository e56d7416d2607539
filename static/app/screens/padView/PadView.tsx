import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Pad } from '../../../../api/answers';
import { Button, IconButton } from '../../components/Button';
import { VisibilityChip } from '../../components/Chip';
import { RetryIcon } from '../../components/icons';
import { Page, usePageLayout } from '../../components/Page';
import { usePageTitle } from '../../components/pageTitle';
import { EmptyState, SkeletonRows } from '../../components/States';
import { PadIcon, ReduceViewIcon } from '../../components/screenIcons';
import { isError } from '../../data/client';
import { useUser } from '../../data/configuration';
import { useGroup } from '../../data/folders';
import { keys } from '../../data/keys';
import { useLastError } from '../../data/lastError';
import { usePad, usePresent } from '../../data/pads';
import { rememberExpandedPad, wantsExpandedPad } from '../../data/preferences';
import { useSessionState } from '../../data/session';
import { useFrameEvents } from '../../editorFrame/frameEvents';
import { isTaken } from '../../lib/takenKey';
import { useLatest } from '../../lib/useLatest';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { PasswordQuestion } from '../access/PasswordQuestion';
import { Refusal, refusalKind, retrying } from '../access/Refusal';
import type { OpenFolder } from '../folders/FolderScreen';
import { Editor } from './Editor';
import { type HeldEditor, useAccessChange, useHeldEditor } from './heldEditor';
import { PadBar } from './PadBar';
import styles from './PadView.module.css';

/** Milliseconds between readings of an open pad. Somebody may have renamed or removed it. */
const pollInterval = 30_000;
/** Milliseconds after which the server no longer counts somebody who has left a pad. */
const leaveNoticed = 2_000;

export interface PadViewProps {
  group: string;
  pad: string;
}

/** A pad in its editor, or the form for its password, or the reason why it cannot be shown. */
export function PadView({ group, pad: id }: PadViewProps) {
  const { t } = useTranslation();
  const user = useUser();
  const query = usePad(id, pollInterval);
  const { data, error: lastError } = useLastError(id, query);
  // Etherpad's own address does not name the folder, so the server leads here with `-`.
  const folderId = (data === undefined ? group !== '-' && group : data.group) || '';
  const folder = useGroup(folderId);
  const holding = useHeldEditor(id, user?._id);
  const pad = data ?? holding.held?.pad;
  const error = holding.held !== null ? null : lastError;
  const folderName = folder.data?.group.name;
  const crumbs = [
    ...(user === undefined ? [] : [{ label: t('folders.title'), href: paths.folders }]),
    ...(folderName === undefined ? [] : [{ label: folderName, href: paths.folder(folderId) }]),
  ];
  if (isError(error, 'BACKEND.ERROR.TYPE.PASSWORD_MISSING')) {
    const title = folderName === undefined ? t('pad.title') : t('pad.in', { name: folderName });
    return (
      <Page title={pad?.name ?? title} breadcrumb={crumbs} facts={<VisibilityChip visibility="private" />}>
        <PasswordQuestion what="pad" id={id} />
      </Page>
    );
  }
  if (error !== null && (pad === undefined || refusalKind(error) !== 'failed')) {
    return (
      <Page title={t('pad.title')} breadcrumb={crumbs}>
        <Refusal what="pad" id={id} error={error} wasOpen={data !== undefined} {...retrying(query)} />
      </Page>
    );
  }
  if (pad === undefined) {
    return (
      <Page key="loading" title={t('state.loading')} breadcrumb={crumbs}>
        <SkeletonRows rows={3} />
      </Page>
    );
  }
  return (
    <OpenPad
      key={id}
      pad={pad}
      folderName={folderName}
      folder={folder.data?.locked === false ? folder.data : undefined}
      holding={holding}
      onRead={() => query.refetch()}
    />
  );
}

interface OpenPadProps {
  pad: Pad;
  /** Unknown if the person may open the pad but not see its folder. */
  folderName: string | undefined;
  folder: OpenFolder | undefined;
  holding: HeldEditor;
  /** Reads the pad again. */
  onRead: () => Promise<unknown>;
}

function OpenPad({ pad, folderName, folder, holding, onRead }: OpenPadProps) {
  const { t } = useTranslation();
  const { ended } = useSessionState();
  const [elsewhere, setElsewhere] = useState(false);
  const [visit, setVisit] = useState(1);
  const { expanded, expand, expandButton, reduceButton } = useExpanded(!elsewhere);
  usePageTitle(pad.name, folderName);
  useNewPeople(pad._id, onRead);
  useChangedPage(onRead);
  useOwnLeaving();
  // Etherpad shows a message over the text, and the server tells this editor nothing more: the text would stay visible
  // after the person has lost the right to see it.
  useFrameEvents({ onElsewhere: (unsaved) => !unsaved && setElsewhere(true) });
  const reopen = (): void => {
    setVisit((last) => last + 1);
    setElsewhere(false);
    holding.release();
  };
  const onAccessChange = useAccessChange(pad, holding, { read: onRead, reopen });
  return (
    <div className={styles.view}>
      <PadBar
        pad={pad}
        folderName={folderName}
        folder={folder}
        hidden={expanded}
        expandButton={expandButton}
        onExpand={elsewhere ? undefined : () => expand(true)}
        onNewTab={() => setElsewhere(true)}
      />
      {expanded && (
        <div className={styles.reduce}>
          <IconButton
            ref={reduceButton}
            kind="secondary"
            label={t('padView.reduce')}
            icon={<ReduceViewIcon />}
            onClick={() => expand(false)}
          />
          <p aria-hidden="true" className={styles.reduceName}>
            {folderName !== undefined && <span className={styles.reduceFolder}>{folderName} / </span>}
            {pad.name}
          </p>
        </div>
      )}
      {elsewhere ? (
        <OpenElsewhere onReopen={reopen} />
      ) : (
        <>
          {holding.held?.unsaved && !ended && <UnsavedNote onReopen={reopen} />}
          <Editor
            key={visit}
            pad={pad}
            visit={visit}
            onRefusal={() => void onRead()}
            onAccessChange={onAccessChange}
            onReopen={reopen}
          />
        </>
      )}
    </div>
  );
}

/** Whether the editor fills the window. Remembered, and only if it is `possible`. Escape ends it. */
function useExpanded(possible: boolean) {
  const [wanted, setWanted] = useState(wantsExpandedPad);
  const expanded = wanted && possible;
  usePageLayout(expanded ? 'expanded' : 'fill');
  const expand = (next: boolean): void => {
    setWanted(next);
    rememberExpandedPad(next);
  };
  const expandButton = useRef<HTMLButtonElement>(null);
  const reduceButton = useRef<HTMLButtonElement>(null);
  const wasExpanded = useRef(expanded);
  useEffect(() => {
    if (wasExpanded.current === expanded) return;
    wasExpanded.current = expanded;
    // The button that was pressed is replaced by the other one, so the focus moves there.
    (expanded ? reduceButton : expandButton).current?.focus();
    // On a phone that button is in the menu, so the button of the menu gets the focus.
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('main header [aria-haspopup=menu]')?.focus();
  }, [expanded]);
  useEscape(expanded, () => expand(false));
  return { expanded, expand, expandButton, reduceButton };
}

/** In place of the editor, while the pad is open in a tab of its own. */
function OpenElsewhere({ onReopen }: { onReopen: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<PadIcon />}
      title={t('padView.elsewhere.title')}
      action={
        <Button kind="primary" icon={<RetryIcon />} onClick={onReopen}>
          {t('padView.elsewhere.again')}
        </Button>
      }
    >
      {t('padView.elsewhere.text')}
    </EmptyState>
  );
}

/** Above an editor that was kept because it has text that the server does not have. */
function UnsavedNote({ onReopen }: { onReopen: () => void }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className={styles.unsaved}>
      <p>{t('padView.unsaved')}</p>
      <Button small kind="primary" icon={<RetryIcon />} onClick={onReopen}>
        {t('padView.retry')}
      </Button>
    </div>
  );
}

/** Milliseconds until a pad is read again after somebody has come or left: per person in it, and the minimum. */
const pausePerPerson = 50;
const shortestPause = 1_500;

/**
 * Reads the pad again soon after somebody has come or left. The delay grows with the number of people in the pad, so
 * that all their pages together ask the server at most about 20 times a second.
 */
function useNewPeople(id: string, read: () => Promise<unknown>): void {
  const { count = 1 } = usePresent(id) ?? {};
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useFrameEvents({
    onPeople: () => {
      timer.current ??= setTimeout(
        () => {
          timer.current = undefined;
          void read();
        },
        Math.min(pollInterval, Math.max(shortestPause, count * pausePerPerson)),
      );
    },
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

/** Reads once more who is in the pads of lists when the server has noticed that the person has left this one. */
function useOwnLeaving(): void {
  const client = useQueryClient();
  useEffect(() => {
    const readPresent = () => void client.invalidateQueries({ queryKey: keys.everyPresentIn });
    return () => void setTimeout(readPresent, leaveNoticed);
  }, [client]);
}

/** Reads pad and folder again when the editor reports another name, a move, or another right to change the pad. */
function useChangedPage(read: () => Promise<unknown>): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useFrameEvents({
    onPage: (within) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        void client.invalidateQueries({ queryKey: keys.everyGroup });
        void read();
      }, Math.random() * within);
    },
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

/** Calls `leave` when Escape is pressed, in the page or in the editor, while `active`. */
function useEscape(active: boolean, leave: () => void): void {
  const latest = useLatest(leave);
  useFrameEvents({ onEscape: () => active && leave() });
  useEffect(() => {
    if (!active) return undefined;
    const listen = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isTaken(event)) latest.current();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [active]);
}
