import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { createListeners } from '../lib/listeners';
import { useErrorText } from '../texts/errorText';
import { useTranslation } from '../texts/i18n';
import { Button, IconButton } from './Button';
import { classNames } from './classNames';
import { CloseIcon, ErrorIcon, InfoIcon, SuccessIcon, WarningIcon } from './icons';
import styles from './Toasts.module.css';

export type ToastKind = 'success' | 'info' | 'warning' | 'error';

export interface ToastOptions {
  /** A button in the message, such as Undo. */
  action?: { label: string; run: () => void };
}

interface Toast extends ToastOptions {
  id: number;
  kind: ToastKind;
  text: string;
}

/** Milliseconds for which a message stays. Warnings and errors stay longer, to give people time to read them. */
const displayTime: Readonly<Record<ToastKind, number>> = {
  success: 10_000,
  info: 10_000,
  warning: 15_000,
  error: 15_000,
};

const { notify, subscribe } = createListeners();
let all: readonly Toast[] = [];
let lastId = 0;

function change(next: readonly Toast[]): void {
  all = next;
  notify();
}

function show(kind: ToastKind, text: string, options: ToastOptions = {}): void {
  const others = all.filter((toast) => toast.text !== text).slice(-3);
  lastId += 1;
  change([...others, { id: lastId, kind, text, ...options }]);
}

/** Shows short messages at the edge of the screen. `text` must be translated already. Can be called from anywhere. */
export const toasts = {
  success: (text: string, options?: ToastOptions) => show('success', text, options),
  info: (text: string, options?: ToastOptions) => show('info', text, options),
  warning: (text: string, options?: ToastOptions) => show('warning', text, options),
  error: (text: string, options?: ToastOptions) => show('error', text, options),
  clear: () => change([]),
};

/** Shows an error that a call has thrown. */
export function useErrorToast(): (error: unknown) => void {
  const errorText = useErrorText();
  return useCallback((error) => toasts.error(errorText(error)), [errorText]);
}

function close(id: number): void {
  change(all.filter((toast) => toast.id !== id));
}

const icons = { success: SuccessIcon, info: InfoIcon, warning: WarningIcon, error: ErrorIcon };

/* Messages stay while the pointer or the focus is on them. */
let paused = false;

function Message({ toast }: { toast: Toast }) {
  const { t } = useTranslation();
  const { id, kind, text, action } = toast;
  useEffect(() => {
    let remaining = displayTime[kind];
    const step = 250;
    const timer = setInterval(() => {
      if (paused || document.hidden) return;
      remaining -= step;
      if (remaining <= 0) close(id);
    }, step);
    return () => clearInterval(timer);
  }, [id, kind]);
  const Icon = icons[kind];
  return (
    <div className={classNames(styles.toast, styles[kind])}>
      <Icon className={styles.icon} />
      <p className={styles.text}>
        <span className="visually-hidden">{t(`toast.${kind}`)} </span>
        {text}
      </p>
      {action !== undefined && (
        <Button
          small
          kind="quiet"
          className={styles.action}
          onClick={() => {
            close(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton small label={t('toast.close')} icon={<CloseIcon />} onClick={() => close(id)} />
    </div>
  );
}

/**
 * Shows the messages; used once, in the shell. Screen readers announce successes politely, warnings and errors at once.
 */
export function Toasts() {
  const { t } = useTranslation();
  const shown = useSyncExternalStore(subscribe, () => all);
  useEffect(() => {
    if (shown.length === 0) paused = false;
  }, [shown]);
  const urgent = (toast: Toast): boolean => toast.kind === 'warning' || toast.kind === 'error';
  return (
    <section
      aria-label={t('toast.region')}
      className={styles.region}
      onPointerEnter={() => {
        paused = true;
      }}
      onPointerLeave={() => {
        paused = false;
      }}
      onFocus={() => {
        paused = true;
      }}
      onBlur={() => {
        paused = false;
      }}
    >
      <div role="alert" className={styles.list}>
        {shown.filter(urgent).map((toast) => (
          <Message key={toast.id} toast={toast} />
        ))}
      </div>
      <div role="status" className={styles.list}>
        {shown
          .filter((toast) => !urgent(toast))
          .map((toast) => (
            <Message key={toast.id} toast={toast} />
          ))}
      </div>
    </section>
  );
}
