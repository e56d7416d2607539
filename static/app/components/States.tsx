import type { ReactNode } from 'react';
import { useConnectionLost } from '../data/connection';
import { useErrorText } from '../texts/errorText';
import { useTranslation } from '../texts/i18n';
import { Button } from './Button';
import { ErrorIcon, OfflineIcon, RetryIcon } from './icons';
import { keepsFocus } from './keepFocus';
import styles from './States.module.css';

export interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  /** A sentence: what this list is for, or what was searched. */
  children?: ReactNode;
  /** A button that creates the first thing, or clears the search. */
  action?: ReactNode;
}

/** Shown for an empty list and for a search without results. Its button may end it and takes the focus with it. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div ref={keepsFocus} className={styles.state}>
      <div className={styles.icon}>{icon}</div>
      <p className={styles.title}>{title}</p>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}

export interface ErrorStateProps {
  /** What failed: "The folders could not be loaded". */
  title: string;
  /** The error as it was thrown. */
  error: unknown;
  /** Called by the button "Try again", which is hidden without it. */
  onRetry?: () => void;
  /** Whether a retry is running. */
  busy?: boolean;
  /** Another action, such as a link to the list. */
  action?: ReactNode;
}

/** Shows what failed and why, with a button "Try again". */
export function ErrorState({ title, error, onRetry, busy, action }: ErrorStateProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (
    <div className={styles.state} role="alert">
      <div className={styles.icon} data-tone="danger">
        <ErrorIcon />
      </div>
      <p className={styles.title}>{title}</p>
      <p className={styles.text}>{errorText(error)}</p>
      <div className={styles.action}>
        {onRetry !== undefined && (
          <Button kind="primary" icon={<RetryIcon />} busy={busy} onClick={onRetry}>
            {t('action.retry')}
          </Button>
        )}
        {action}
      </div>
    </div>
  );
}

interface Query {
  data: unknown;
  error: unknown;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
}

export interface LoadingProps {
  query: Query;
  /** The title when it failed. */
  failed: string;
  /** What is shown while nothing is loaded. */
  children: ReactNode;
}

/** Shows that something is being loaded, or why it could not be. Nothing when it is there. */
export function Loading({ query: { data, error, isFetching, refetch }, failed, children }: LoadingProps) {
  if (data !== undefined) return null;
  if (error === null) return children;
  return <ErrorState title={failed} error={error} busy={isFetching} onRetry={() => void refetch()} />;
}

export interface SkeletonProps {
  /** A CSS length; `100%` by default. */
  width?: string;
  /** A CSS length; `1em` by default. */
  height?: string;
  round?: boolean;
}

/** A grey placeholder for loading content. Put several into a SkeletonGroup. */
export function Skeleton({ width = '100%', height = '1em', round = false }: SkeletonProps) {
  return (
    <span className={styles.skeleton} style={{ width, height, borderRadius: round ? '999px' : undefined }} />
  );
}

/** Announces "Loading" once to screen readers. The placeholders inside are hidden from them. */
export function SkeletonGroup({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div role="status" aria-busy="true">
      <span className="visually-hidden">{t('state.loading')}</span>
      <div aria-hidden="true">{children}</div>
    </div>
  );
}

export interface SkeletonRowsProps {
  rows?: number;
  /** Of the real rows, in px. */
  height?: number;
  /** The real rows have one line, and no star or picture before it. */
  oneLine?: boolean;
}

/** Placeholders for rows of a list. Without a connection they would stay, so the reason is in their place. */
export function SkeletonRows({ rows = 8, height = 52, oneLine = false }: SkeletonRowsProps) {
  const { t } = useTranslation();
  if (useConnectionLost()) {
    return (
      <EmptyState icon={<OfflineIcon />} title={t('state.notLoaded')}>
        {t('connection.lost')}
      </EmptyState>
    );
  }
  return (
    <SkeletonGroup>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: these rows differ only in their position
        <div key={row} className={styles.row} style={{ height }}>
          {!oneLine && <Skeleton width="20px" height="20px" round />}
          <div className={styles.lines}>
            <Skeleton width={`${32 + ((row * 17) % 30)}%`} height="14px" />
            {!oneLine && <Skeleton width={`${14 + ((row * 11) % 18)}%`} height="11px" />}
          </div>
          <Skeleton width="72px" height="20px" round />
        </div>
      ))}
    </SkeletonGroup>
  );
}
