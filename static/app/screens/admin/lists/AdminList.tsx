import type { ReactNode } from 'react';
import { limits } from '../../../../../model/limits';
import { Button } from '../../../components/Button';
import { NothingFoundIcon } from '../../../components/icons';
import { Pagination, pageIn, useLastPage } from '../../../components/Pagination';
import { Rows } from '../../../components/Rows';
import { EmptyState, Loading, type LoadingProps, SkeletonRows } from '../../../components/States';
import { useQueryParams } from '../../../navigation/location';
import { useTranslation } from '../../../texts/i18n';
import styles from './lists.module.css';
import { useNoteShown } from './shownLast';

export interface AdminListProps {
  label: string;
  /** Title of the message if the list cannot be loaded. */
  failed: string;
  /** The query of the list. `count`: the number of all matches. */
  query: LoadingProps['query'] & { data: { count: number } | undefined };
  /** RowHeadings. */
  headings?: ReactNode;
  /** The rows of the page; `undefined` until the first answer. */
  rows: readonly ReactNode[] | undefined;
  /** Whether a search or a filter is set. */
  filtered?: boolean;
  onClear?: () => void;
  /** Shown if there is nothing even without filters. */
  empty: ReactNode;
}

/** `offset` and `limit` of the page in the URL. */
export function usePageQuery(): { offset: number; limit: number } {
  const [parameters] = useQueryParams();
  const page = pageIn(parameters);
  return { offset: (page - 1) * limits.page, limit: limits.page };
}

/** One page of a list that the server filters. */
export function AdminList(props: AdminListProps) {
  const { label, failed, query, headings, rows, filtered, onClear, empty } = props;
  const { t } = useTranslation();
  const count = query.data?.count ?? 0;
  const pages = Math.ceil(count / limits.page);
  const page = usePageQuery().offset / limits.page + 1;
  useLastPage(rows?.length === 0, { page, pages });
  useNoteShown();
  if (rows === undefined) {
    return (
      <Loading query={query} failed={failed}>
        <SkeletonRows height={52} rows={10} oneLine />
      </Loading>
    );
  }
  if (count === 0 && !filtered) return empty;
  if (count === 0) {
    return (
      <EmptyState
        icon={<NothingFoundIcon />}
        title={t('admin.list.nothing')}
        action={<Button onClick={onClear}>{t('filter.clear')}</Button>}
      >
        {t('admin.list.nothing.text')}
      </EmptyState>
    );
  }
  return (
    <>
      {headings}
      <Rows label={label}>{rows}</Rows>
      <Pagination page={page} pages={pages} />
    </>
  );
}

/** A text in a column, cut off at its end. The tooltip has all of it. */
export const Cut = ({ text }: { text: string }) => (
  <span className={styles.cut} title={text}>
    {text}
  </span>
);
