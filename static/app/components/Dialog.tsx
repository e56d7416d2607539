import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { useShown } from '../lib/useShown';
import { askToLeave } from '../navigation/location';
import { useErrorText } from '../texts/errorText';
import { useTranslation } from '../texts/i18n';
import { Button, IconButton } from './Button';
import { classNames } from './classNames';
import styles from './Dialog.module.css';
import { Failure } from './Failure';
import { CloseIcon } from './icons';
import { keepFocus } from './keepFocus';
import { openDialog } from './openDialogs';
import { toasts } from './Toasts';

export interface DialogProps {
  title: string;
  children: ReactNode;
  /** The buttons at the end. The confirming button comes last. */
  actions?: ReactNode;
  /** Called for Escape, the close button, and a press beside the dialog, after a question if a form has changes. */
  onClose: () => void;
  /** `small` (the default) is 28 rem wide, `medium` 36 rem. */
  size?: 'small' | 'medium';
}

/** A press on the scroll bar of the dialog has the same target as one beside it. */
function isBeside({ target, currentTarget, clientX, clientY }: MouseEvent<HTMLDialogElement>): boolean {
  if (target !== currentTarget) return false;
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

/**
 * A native modal dialog, open while it is rendered. It focuses the element with `data-first`, or else the first
 * control. On closing, the focus returns to where it was, or to the screen's heading if that element is gone.
 */
export function Dialog({ title, children, actions, onClose, size = 'small' }: DialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog === null) return undefined;
    const close = openDialog(dialog);
    // On a touch screen the keyboard would cover the dialog.
    const first = matchMedia('(pointer: fine)').matches ? '' : ':not(input)';
    dialog.querySelector<HTMLElement>(`[data-first]${first}`)?.focus();
    return () => {
      close();
      keepFocus();
    };
  }, []);
  const leave = (): void => {
    if (element.current?.querySelector('[data-unsaved]')) askToLeave(onClose);
    else onClose();
  };
  // Chromium lets a page stop Escape once, then only after a click or letter: it closes a dialog that asks or is busy.
  const onClosed = (): void => {
    if (!element.current || element.current.open) return;
    element.current.showModal();
    leave();
  };
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      className={classNames(styles.dialog, styles[size])}
      onCancel={(event) => {
        event.preventDefault();
        // React hands on the event of a dialog that was opened from within this one.
        if (event.target === event.currentTarget && event.cancelable) leave();
      }}
      onClose={(event) => event.target === event.currentTarget && onClosed()}
      onMouseDown={(event) => isBeside(event) && leave()}
    >
      <div className={styles.inside}>
        <div className={styles.header}>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          <IconButton
            small
            label={t('action.close')}
            icon={<CloseIcon />}
            onClick={leave}
            className={styles.close}
          />
        </div>
        <div className={styles.body}>{children}</div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
    </dialog>
  );
}

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
  /** What is said when it has succeeded; the dialog then closes. Without it, `onConfirm` must close the dialog. */
  done?: string;
  onClose: () => void;
}

/** Asks for confirmation. The Cancel button has the focus first. */
export function ConfirmDialog({
  title,
  children,
  action,
  danger = false,
  loading = false,
  onConfirm,
  done,
  onClose,
}: ConfirmDialogProps) {
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
      setFailure(error);
      // Back has left the screen.
      if (!shown.current) toasts.error(errorText(error));
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
        {failure !== undefined && <Failure>{errorText(failure)}</Failure>}
      </div>
    </Dialog>
  );
}
