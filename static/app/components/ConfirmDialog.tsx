import { type ReactNode, useState } from 'react';
import { useShown } from '../lib/useShown';
import { type ErrorTexts, useErrorText } from '../texts/errorText';
import { useTranslation } from '../texts/i18n';
import { Button } from './Button';
import { Dialog } from './Dialog';
import styles from './Dialog.module.css';
import { Failure } from './Failure';
import { isReported, toasts } from './Toasts';

export interface ConfirmDialogProps {
  /** A question that names the thing: "Remove the folder “Board”?" */
  title: string;
  /** The consequences: what else is removed, who loses access, whether it can be undone. */
  children: ReactNode;
  /** The label of the confirming button: "Remove folder". */
  action: string;
  danger?: boolean;
  /** The consequences are still being loaded, so that nobody can confirm yet. */
  loading?: boolean;
  /** Called to confirm. The dialog waits for it, and shows what it throws. */
  onConfirm: () => unknown;
  /** Texts for some errors of `onConfirm`. */
  texts?: ErrorTexts;
  /** What is said when it has succeeded; the dialog then closes. Without it, `onConfirm` must close the dialog. */
  done?: string;
  onClose: () => void;
}

/** Asks for confirmation. The Cancel button has the focus first. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, danger = false, loading = false, onConfirm, texts, done, onClose } = props;
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const shown = useShown();
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await onConfirm();
      if (done === undefined) return;
      onClose();
      toasts.success(done);
    } catch (error) {
      if (!isReported(error)) setFailure(error);
      // Back has left the screen.
      if (!shown.current) toasts.error(errorText(error, texts));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={() => !busy && onClose()}
      actions={
        <>
          <Button data-first onClick={onClose} disabled={busy}>
            {t('action.cancel')}
          </Button>
          <Button kind={danger ? 'danger' : 'primary'} busy={busy || loading} onClick={confirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      <div role="alert" className={styles.alert}>
        {failure !== undefined && <Failure>{errorText(failure, texts)}</Failure>}
      </div>
    </Dialog>
  );
}
