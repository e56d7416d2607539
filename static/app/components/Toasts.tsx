import { useCallback, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { focusAgain, focusedElement } from '../lib/focusedElement';
import { createStore } from '../lib/store';
import { useErrorText } from '../texts/errorText';
import { useTranslation } from '../texts/i18n';
import { Button, IconButton } from './Button';
import { classNames } from './classNames';
import { CloseIcon, ErrorIcon, InfoIcon, SuccessIcon, WarningIcon } from './icons';
import { useOpenDialogs } from './openDialogs';
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
  /** When it was shown first. */
  since: number;
  /** Milliseconds for which it stays. Counted here, because a message moves when a dialog opens or closes. */
  remaining: number;
}

/** Milliseconds for which a message stays. Warnings and errors stay longer, to give people time to read them. */
const displayTime: Readonly<Record<ToastKind, number>> = {
  success: 10_000,
  info: 10_000,
  warning: 15_000,
  error: 15_000,
};

const all = createStore<readonly Toast[]>([]);
let lastId = 0;

function show(kind: ToastKind, text: string, options: ToastOptions = {}): void {
  const others = all
    .get()
    .filter((toast) => toast.text !== text)
    .slice(-3);
  lastId += 1;
  all.set([
    ...others,
    { id: lastId, kind, text, since: Date.now(), remaining: displayTime[kind], ...options },
  ]);
}

/** Shows short messages at the edge of the screen. `text` must be translated already. Can be called from anywhere. */
export const toasts = {
  success: (text: string, options?: ToastOptions) => show('success', text, options),
  info: (text: string, options?: ToastOptions) => show('info', text, options),
  warning: (text: string, options?: ToastOptions) => show('warning', text, options),
  error: (text: string, options?: ToastOptions) => show('error', text, options),
  /** A message whose text changes. Screen readers announce how it begins. It does not return when it was closed. */
  changing(): (text: string) => void {
    let id = 0;
    return (text) => {
      if (id === 0) show('info', text);
      id ||= lastId;
      const change = (toast: Toast) =>
        toast.id === id && toast.text !== text
          ? { ...toast, text, since: 0, remaining: displayTime.info }
          : toast;
      all.set(all.get().map(change));
    };
  },
  clear: () => all.set([]),
};

/** Whether a dialog already asks for what was missing: the session has ended. */
export function isReported(error: unknown): boolean {
  return (error as { sessionEnded?: unknown } | null)?.sessionEnded === true;
}

/** Shows an error that a call has thrown, unless it is reported already. */
export function useErrorToast(): (error: unknown) => void {
  const errorText = useErrorText();
  return useCallback((error) => void (isReported(error) || toasts.error(errorText(error))), [errorText]);
}

function close(id: number): void {
  all.set(all.get().filter((toast) => toast.id !== id));
}

const icons = { success: SuccessIcon, info: InfoIcon, warning: WarningIcon, error: ErrorIcon };

/* Messages stay while the pointer or the focus is on them. */
let paused = false;
const pause = (next: boolean): void => {
  paused = next;
};

/** What had the focus before F6. */
let before: HTMLElement | null = null;

// F6 moves the focus to the newest message, and back. The editor passes the key on.
addEventListener('keydown', (event) => {
  const first = document.querySelector<HTMLElement>(`#toast${all.get().at(-1)?.id} button`);
  if (event.key !== 'F6' || first === null) return;
  event.preventDefault();
  const now = focusedElement(document);
  if (now?.closest('[id^=toast]')) return focusAgain(before);
  before = now;
  first.focus();
});

/** The ref of a message, which may go while one of its buttons has the focus. */
const givesFocusBack = (element: HTMLElement | null) => (): void => {
  if (element?.contains(document.activeElement)) focusAgain(before);
};

function Message({ toast }: { toast: Toast }) {
  const { t } = useTranslation();
  const { id, kind, text, action } = toast;
  useEffect(() => {
    const step = 250;
    const timer = setInterval(() => {
      if (paused || document.hidden) return;
      toast.remaining -= step;
      if (toast.remaining <= 0) close(id);
    }, step);
    return () => clearInterval(timer);
  }, [id, toast]);
  const Icon = icons[kind];
  return (
    <div ref={givesFocusBack} id={`toast${id}`} className={classNames(styles.toast, styles[kind])}>
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

const isUrgent = ({ kind }: Toast): boolean => kind === 'warning' || kind === 'error';

/** Milliseconds. A message that a dialog covers later than this was read aloud already, and is not read again. */
const shortly = 1_000;

/**
 * Messages in the page, or in a dialog. Screen readers announce successes politely, warnings and errors at once, and
 * messages that have been elsewhere before not again.
 */
function Region({ shown, inDialog = false }: { shown: readonly Toast[]; inDialog?: boolean }) {
  const { t } = useTranslation();
  const from = useRef<number>(undefined);
  const isEmpty = shown.length === 0;
  from.current = isEmpty ? undefined : (from.current ?? Date.now() - shortly);
  const isNew = ({ since }: Toast): boolean => since >= (from.current ?? 0);
  // No event says that the pointer or the focus has left when the last message goes or a dialog closes.
  useEffect(() => {
    if (isEmpty) pause(false);
    return () => pause(false);
  }, [isEmpty]);
  const list = (toasts: readonly Toast[]) => toasts.map((toast) => <Message key={toast.id} toast={toast} />);
  return (
    <section
      aria-label={inDialog ? undefined : t('toast.region')}
      className={inDialog ? styles.inDialog : styles.region}
      onPointerEnter={() => pause(true)}
      onPointerLeave={() => pause(false)}
      onFocus={() => pause(true)}
      onBlur={() => pause(false)}
    >
      <div className={styles.list}>{list(shown.filter((toast) => !isNew(toast)))}</div>
      <div role="alert" className={styles.list}>
        {list(shown.filter((toast) => isNew(toast) && isUrgent(toast)))}
      </div>
      <div role="status" className={styles.list}>
        {list(shown.filter((toast) => isNew(toast) && !isUrgent(toast)))}
      </div>
    </section>
  );
}

/**
 * Shows the messages; used once, in the shell. A modal dialog makes everything outside it inert, so they are in the
 * dialog that was opened last.
 */
export function Toasts() {
  const shown = all.use();
  const dialogs = useOpenDialogs();
  const last = dialogs.at(-1);
  return (
    <>
      <Region shown={last === undefined ? shown : []} />
      {dialogs.map((dialog, index) =>
        createPortal(<Region inDialog shown={dialog === last ? shown : []} />, dialog, index),
      )}
    </>
  );
}
