import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { useErrorText } from '../errorText';
import { useTranslation } from '../i18n';
import { Button, IconButton } from './Button';
import { classNames } from './classNames';
import styles from './Dialog.module.css';
import { CloseIcon, ErrorIcon } from './icons';

export interface DialogProps {
  title: string;
  children: ReactNode;
  /** The buttons at the end, the one that does it last. */
  actions?: ReactNode;
  /** Asked for by Escape, the cross, or a press beside the dialog. */
  onClose: () => void;
  /** `small` (28 rem) unless told; `medium` is 36 rem. */
  size?: 'small' | 'medium';
}

/**
 * A native modal dialog, open as long as it is rendered. The focus goes to what is marked `data-first`, else to the first control; the
 * browser keeps it inside and gives it back at the end. If what had it is gone, the screen's heading takes it.
 */
export function Dialog({ title, children, actions, onClose, size = 'small' }: DialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => {
      dialog?.close();
      setTimeout(() => {
        if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus();
      });
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      className={classNames(styles.dialog, styles[size])}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className={styles.inside}>
        <header className={styles.header}>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          <IconButton
            small
            label={t('action.close')}
            icon={<CloseIcon />}
            onClick={onClose}
            className={styles.close}
          />
        </header>
        <div className={styles.body}>{children}</div>
        {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
      </div>
    </dialog>
  );
}

export interface ConfirmDialogProps {
  /** A question that names the thing: "Remove the folder “Board”?" */
  title: string;
  /** What goes with it, who is touched, whether it can be undone. */
  children: ReactNode;
  /** What the button does: "Remove folder". */
  action: string;
  danger?: boolean;
  /** While it works the dialog waits; when it throws, the dialog says why and stays. Close it from here when it is done. */
  onConfirm: () => unknown;
  onClose: () => void;
}

/** Asks before something is done. Cancel has the focus first. */
export function ConfirmDialog({
  title,
  children,
  action,
  danger = false,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm();
    } catch (error) {
      setFailure(errorText(error));
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
          <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={confirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      <div role="alert" className={styles.alert}>
        {failure !== null && (
          <p className={styles.failure}>
            <ErrorIcon />
            {failure}
          </p>
        )}
      </div>
    </Dialog>
  );
}
