import { type MouseEvent, useEffect } from 'react';
import {
  Link,
  parameterValues,
  setQueryParams,
  useLocation,
  useQueryParams,
  withParameters,
} from '../navigation/location';
import { useTranslation } from '../texts/i18n';
import { classNames } from './classNames';
import { NextIcon } from './icons';
import styles from './Pagination.module.css';
import { PreviousIcon } from './screenIcons';

export interface PaginationProps {
  /** The current page, counted from 1. */
  page: number;
  pages: number;
}

/** The page that an address names, counted from 1. */
export const pageIn = (parameters: URLSearchParams): number =>
  Math.max(1, Math.floor(Number(parameters.get('page'))) || 1);

/** Leads to the last page if the one in the address has no rows: they were removed, or the link is old. */
export function useLastPage(isEmpty: boolean, { page, pages }: PaginationProps): void {
  useEffect(() => {
    if (isEmpty && pages > 0 && page > pages) setQueryParams({ page: pages === 1 ? null : String(pages) });
  }, [isEmpty, page, pages]);
}

/** The page numbers to show: the first, the last and those around the current one. 0 is a gap. */
function numbers(page: number, pages: number): number[] {
  const shown = [...new Set([1, page - 1, page, page + 1, pages])].filter(
    (number) => number >= 1 && number <= pages,
  );
  return shown.flatMap((number, at) =>
    at > 0 && number - (shown[at - 1] ?? 0) > 1 ? [0, number] : [number],
  );
}

/** After a link was followed here: shows the screen from its top, as other screens are shown when they open. */
function toTop({ defaultPrevented }: MouseEvent): void {
  if (!defaultPrevented) return;
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Links to the pages of a long list: the address of the screen with another `page`. Nothing if there is only one. */
export function Pagination({ page, pages }: PaginationProps) {
  const { t, digits } = useTranslation();
  const [path] = useLocation();
  const [parameters] = useQueryParams();
  if (pages <= 1) return null;
  const href = (to: number): string =>
    withParameters(path, { ...parameterValues(parameters), page: to === 1 ? null : String(to) });
  const step = (to: number, label: string, Icon: typeof NextIcon) =>
    to >= 1 && to <= pages ? (
      <Link href={href(to)} className={styles.link} aria-label={label} title={label}>
        <Icon />
      </Link>
    ) : (
      <span className={classNames(styles.link, styles.off)} aria-hidden="true">
        <Icon />
      </span>
    );
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click too
    <nav aria-label={t('pagination.label')} className={styles.pagination} onClick={toTop}>
      {step(page - 1, t('pagination.previous'), PreviousIcon)}
      <ol className={styles.list}>
        {numbers(page, pages).map((number, at, all) =>
          number === 0 ? (
            <li key={`gap after ${all[at - 1]}`} aria-hidden="true" className={styles.gap}>
              …
            </li>
          ) : (
            <li key={number}>
              <Link
                href={href(number)}
                className={styles.link}
                aria-label={t('pagination.page', { page: number })}
                aria-current={number === page ? 'page' : undefined}
              >
                {digits(number)}
              </Link>
            </li>
          ),
        )}
      </ol>
      {step(page + 1, t('pagination.next'), NextIcon)}
    </nav>
  );
}
