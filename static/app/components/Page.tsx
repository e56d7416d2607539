import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from '../i18n';
import { Link, takeHeadingFocus, useLocation } from '../location';
import { IconLink } from './Button';
import { classNames } from './classNames';
import { BackIcon, NextIcon } from './icons';
import styles from './Page.module.css';

export interface Crumb {
  label: string;
  /** A place of the page. */
  href: string;
}

/** The way from the list to here; the last crumb is the parent, the screen itself is the heading. */
export function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  const { t } = useTranslation();
  const parent = crumbs.at(-1);
  if (parent === undefined) return null;
  return (
    <>
      <IconLink
        className={styles.back}
        href={parent.href}
        label={t('page.back', { where: parent.label })}
        icon={<BackIcon className={styles.flip} />}
      />
      <nav aria-label={t('page.breadcrumb')} className={styles.breadcrumb}>
        <ol className={styles.crumbs}>
          {crumbs.map((crumb) => (
            <li key={crumb.href} className={styles.crumb}>
              <Link href={crumb.href} className={styles.crumbLink}>
                {crumb.label}
              </Link>
              <NextIcon className={classNames(styles.separator, styles.flip)} />
            </li>
          ))}
        </ol>
      </nav>
    </>
  );
}

let instanceTitle = 'MyPads';

/** Tells the title of this instance, from the configuration, for the tab's title. */
export function setInstanceTitle(title: string): void {
  instanceTitle = title;
}

/** Names the browser's tab after the screen: "Board - MyPads". For screens without a Page; `null` while the name is not known. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    document.title = title === null || title === '' ? instanceTitle : `${title} - ${instanceTitle}`;
  }, [title]);
}

/** For the one h1 of a screen: it takes the focus when the route has changed, unless a first field has taken it. */
export function useHeadingFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of route is what moves the focus
  useEffect(() => {
    const taken = document.activeElement instanceof HTMLInputElement;
    if (heading.current !== null && takeHeadingFocus() && !taken)
      heading.current.focus({ preventScroll: true });
  }, [path]);
  return heading;
}

/**
 * How the shell frames a screen while it is shown. `fill`: no margins, all the height that is left, for the editor. `expanded`: nothing
 * but the screen.
 */
export function usePageLayout(layout: 'fill' | 'expanded'): void {
  useEffect(() => {
    document.documentElement.dataset.layout = layout;
    return () => {
      delete document.documentElement.dataset.layout;
    };
  }, [layout]);
}

export interface PageProps {
  /** The one h1, and the tab's title. */
  title: string;
  /** The tab's title, where it says more than the heading. */
  documentTitle?: string;
  breadcrumb?: readonly Crumb[];
  /** The screen's one primary button (and what stands beside it). On a phone: full width at the bottom. */
  action?: ReactNode;
  /** Quiet things beside the primary button that stay at the top on a phone: star, share, menu. */
  tools?: ReactNode;
  /** Under the heading: chips, counts. */
  facts?: ReactNode;
  /** A sentence or two under the heading. */
  intro?: ReactNode;
  /** `form` is 640 px, `wide` (unless told) 1100 px at most. */
  width?: 'form' | 'wide';
  children: ReactNode;
}

/** Is there anything to show? `mayCreate && <Button />` is nothing when it is false. */
function isThere(node: ReactNode): boolean {
  return node !== undefined && node !== null && node !== false;
}

/** The frame of a screen: breadcrumb, heading, the one primary button, content. */
export function Page(props: PageProps) {
  const {
    title,
    documentTitle,
    breadcrumb = [],
    action,
    tools,
    facts,
    intro,
    width = 'wide',
    children,
  } = props;
  usePageTitle(documentTitle ?? title);
  const heading = useHeadingFocus();
  return (
    <div
      className={classNames(
        styles.page,
        width === 'form' && styles.form,
        isThere(action) && styles.withAction,
      )}
    >
      <header className={styles.header}>
        <Breadcrumb crumbs={breadcrumb} />
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {isThere(tools) && <div className={styles.tools}>{tools}</div>}
        {isThere(action) && <div className={styles.action}>{action}</div>}
        {isThere(facts) && <div className={styles.facts}>{facts}</div>}
        {isThere(intro) && <div className={styles.intro}>{intro}</div>}
      </header>
      {children}
    </div>
  );
}
