import { type ReactNode, useEffect, useState } from 'react';
import { Link } from '../navigation/location';
import { useTranslation } from '../texts/i18n';
import { IconLink } from './Button';
import { classNames } from './classNames';
import { BackIcon, NextIcon } from './icons';
import { keepsFocus } from './keepFocus';
import styles from './Page.module.css';
import { useHeadingFocus, usePageTitle } from './pageTitle';
import { RenameField, useFocusAfterRename } from './RenameField';

export interface Crumb {
  label: string;
  /** An address in the page, as `/mypads`. */
  href: string;
}

/** Links from the list down to the parent of this screen. The screen itself is the heading. */
function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  const { t } = useTranslation();
  const parent = crumbs.at(-1);
  if (parent === undefined) return null;
  return (
    <>
      <IconLink
        className={styles.back}
        href={parent.href}
        label={t('page.back', { where: parent.label })}
        icon={<BackIcon />}
      />
      <nav aria-label={t('page.breadcrumb')} className={styles.breadcrumb}>
        <ol className={styles.crumbs}>
          {crumbs.map((crumb) => (
            <li key={crumb.href} className={styles.crumb}>
              <Link href={crumb.href} className={styles.crumbLink}>
                {crumb.label}
              </Link>
              <NextIcon className={styles.separator} />
            </li>
          ))}
        </ol>
      </nav>
    </>
  );
}

/**
 * Sets the layout of the shell while a screen is shown. `fill`: no margins and the full height, for the editor.
 * `expanded`: only the screen, without the navigation.
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
  /** The h1 of the screen, and the title of the tab. */
  title: string;
  /** Stores another name. The heading then opens a field in its place when it is pressed. */
  onRename?: (name: string) => Promise<unknown>;
  /** The title of the tab, if it differs from the heading. */
  documentTitle?: string;
  /** The name of the folder or list that the screen belongs to, for the tab's title. */
  parent?: string;
  breadcrumb?: readonly Crumb[];
  /** The primary button of the screen and the buttons beside it. On a phone it fills the width at the bottom. */
  action?: ReactNode;
  /** Secondary buttons that stay at the top on a phone: star, share, menu. */
  tools?: ReactNode;
  /** Under the heading: chips, counts. */
  facts?: ReactNode;
  /** A sentence or two under the heading. */
  intro?: ReactNode;
  /** `form` is at most 640 px wide, `wide` (the default) at most 1100 px. */
  width?: 'form' | 'wide';
  children: ReactNode;
}

function Heading({ title, onRename }: Pick<PageProps, 'title' | 'onRename'>) {
  const { t } = useTranslation();
  const heading = useHeadingFocus();
  const [renaming, setRenaming] = useState(false);
  const button = useFocusAfterRename<HTMLButtonElement>(renaming);
  return (
    <div className={styles.title}>
      <h1 ref={heading} tabIndex={-1} className={renaming ? 'visually-hidden' : undefined}>
        {onRename !== undefined && !renaming ? (
          <button
            ref={button}
            type="button"
            data-key="e"
            title={t('rename.title', { name: title })}
            className={styles.rename}
            onClick={() => setRenaming(true)}
          >
            <bdi>{title}</bdi>
          </button>
        ) : (
          <bdi>{title}</bdi>
        )}
      </h1>
      {renaming && onRename !== undefined && (
        <RenameField name={title} onSave={onRename} onClose={() => setRenaming(false)} />
      )}
    </div>
  );
}

/** Characters of a title that fits beside the buttons of the smallest phone. */
const shortTitle = 8;

/** The layout of a screen: breadcrumb, heading, primary button, content. */
export function Page(props: PageProps) {
  const {
    title,
    onRename,
    documentTitle,
    parent,
    breadcrumb = [],
    action,
    tools,
    facts,
    intro,
    width = 'wide',
    children,
  } = props;
  usePageTitle(documentTitle ?? title, parent);
  return (
    <div
      ref={keepsFocus}
      className={classNames(
        styles.page,
        width === 'form' && styles.form,
        Boolean(action) && styles.withAction,
      )}
    >
      <header className={classNames(styles.header, title.length > shortTitle && styles.long)}>
        <Breadcrumb crumbs={breadcrumb} />
        <Heading title={title} onRename={onRename} />
        {tools && <div className={styles.tools}>{tools}</div>}
        {action && <div className={styles.action}>{action}</div>}
        {facts && <div className={styles.facts}>{facts}</div>}
        {intro && <div className={styles.intro}>{intro}</div>}
      </header>
      {children}
    </div>
  );
}
