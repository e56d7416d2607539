import { useState } from 'react';
import type { Pad } from '../../../../api/answers';
import { Button } from '../../components/Button';
import { ConfirmDialog } from '../../components/ConfirmDialog';
import { Dialog } from '../../components/Dialog';
import { ProgressBar } from '../../components/ProgressBar';
import { toasts } from '../../components/Toasts';
import { type BulkResult, type Progress, useRemoveChatHistory, useRemovePads } from '../../data/padChanges';
import { useShown } from '../../lib/useShown';
import { folderOf } from '../../navigation/paths';
import { useErrorText } from '../../texts/errorText';
import { useTranslation } from '../../texts/i18n';
import { Failures } from './Failures';
import styles from './removal.module.css';
import { useRestorableUntil, useUndoRemoval } from './undo';

interface Props {
  pad: Pad;
  onClose: () => void;
  /** Called after the removal, instead of `onClose`. */
  onDone?: () => void;
}

/** Asks before a pad is removed. */
export function RemovePad({ pad, onClose, onDone = onClose }: Props) {
  const { t } = useTranslation();
  const remove = useRemovePads();
  const until = useRestorableUntil();
  const undo = useUndoRemoval();
  return (
    <ConfirmDialog
      danger
      title={t('remove.pad.title', { name: pad.name })}
      action={t('remove.pad.submit')}
      onClose={onClose}
      onConfirm={async () => {
        const { failed } = await remove.mutateAsync({ group: folderOf(pad), ids: [pad._id] });
        if (failed[0] !== undefined) throw failed[0].error;
        onDone();
        toasts.success(t('remove.pad.done', { name: pad.name }), undo([pad._id], pad.name));
      }}
    >
      <p>{until === undefined ? t('remove.pad.text') : t('remove.pad.trash', { date: until })}</p>
    </ConfirmDialog>
  );
}

/** Asks before the chat messages of a pad are removed. */
export function RemoveChatHistory({ pad, onClose }: Props) {
  const { t } = useTranslation();
  const remove = useRemoveChatHistory();
  return (
    <ConfirmDialog
      danger
      title={t('remove.chat.title', { name: pad.name })}
      action={t('remove.chat.submit')}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync(pad._id)}
      done={t('remove.chat.done', { name: pad.name })}
    >
      <p>{t('remove.chat.text')}</p>
    </ConfirmDialog>
  );
}

export interface RemovePadsProps {
  group: string;
  pads: readonly Pad[];
  onClose: () => void;
}

const namesShown = 6;

/** Asks before several pads are removed. Shows the progress, and which pads could not be removed and why. */
export function RemovePads({ group, pads, onClose }: RemovePadsProps) {
  const { t } = useTranslation();
  const remove = useRemovePads();
  const [chosen] = useState(pads);
  const [left, setLeft] = useState(pads);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [failed, setFailed] = useState<BulkResult['failed']>([]);
  const busy = progress !== null;
  const shown = useShown();
  const errorText = useErrorText();
  const until = useRestorableUntil();
  const undo = useUndoRemoval();

  const run = async (): Promise<void> => {
    setFailed([]);
    const result = await remove.mutateAsync({
      group,
      ids: left.map((pad) => pad._id),
      report: setProgress,
    });
    setProgress(null);
    const { done } = result;
    if (done.length > 0) toasts.success(t('remove.pads.done', { count: done.length }), undo(done));
    if (result.failed.length === 0) return onClose();
    setFailed(result.failed);
    setLeft(left.filter((pad) => !result.done.includes(pad._id)));
    // Back has left the screen.
    const text = t('remove.pads.failed', { count: result.failed.length });
    const detail = errorText(result.failed[0]?.error);
    if (!shown.current) toasts.error(t('text.detail', { text, detail }));
  };

  return (
    <Dialog
      title={t('remove.pads.title', { count: left.length })}
      onClose={() => !busy && onClose()}
      actions={
        <>
          <Button data-first onClick={onClose} disabled={busy}>
            {t('action.cancel')}
          </Button>
          <Button kind="danger" busy={busy} onClick={() => void run()}>
            {t('remove.pads.submit', { count: left.length })}
          </Button>
        </>
      }
    >
      {failed.length > 0 ? (
        <Failures
          title={t('remove.pads.failed', { count: failed.length })}
          failed={failed}
          nameOf={(id) => chosen.find((pad) => pad._id === id)?.name ?? id}
        />
      ) : (
        <>
          <ul className={styles.list}>
            {left.slice(0, namesShown).map((pad) => (
              <li key={pad._id}>{pad.name}</li>
            ))}
          </ul>
          {left.length > namesShown && <p>{t('remove.pads.more', { count: left.length - namesShown })}</p>}
          <p>{until === undefined ? t('remove.pads.text') : t('remove.trash', { date: until })}</p>
        </>
      )}
      {progress !== null && <ProgressBar {...progress} text={t('remove.pads.progress', { ...progress })} />}
    </Dialog>
  );
}
