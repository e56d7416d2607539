import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type MouseEvent, type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react';
import { languages } from '../../../../model/languages';
import { LinkButton } from '../../components/Button';
import { SearchField } from '../../components/Filters';
import { NextIcon, NothingFoundIcon } from '../../components/icons';
import { Page } from '../../components/Page';
import { EmptyState, Loading, SkeletonRows } from '../../components/States';
import { PreviousIcon } from '../../components/screenIcons';
import { useSettings } from '../../data/configuration';
import { Link, navigate, useQueryParams } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { MessageText } from '../login/LoginMessage';
import { NotFound } from '../notFound/NotFound';
import styles from './Guide.module.css';
import type { GuidePage, GuideTexts } from './guideTexts';
import { type Match, matchesOf, partsOf } from './search';

/** The languages that have a guide. In all others it is in English. */
const loaders: Readonly<Record<string, () => Promise<{ guide: GuideTexts }>>> = {
  de: () => import('guide:de'),
  en: () => import('guide:en'),
  es: () => import('guide:es'),
  fr: () => import('guide:fr'),
  it: () => import('guide:it'),
};

/** The guide in the language of the page, or in English. */
function useGuide() {
  const { language } = useTranslation();
  const shown = Object.hasOwn(loaders, language) ? language : 'en';
  const query = useQuery({
    queryKey: ['guide', shown],
    queryFn: async () => (await loaders[shown]?.())?.guide ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { query, shown, translated: shown === language };
}

/** The administrators' own page (the setting `guidePage`) in the current language, or else in English. */
function useOwnPage(): string {
  const { guidePage } = useSettings();
  const { language } = useTranslation();
  return guidePage[language]?.trim() || (guidePage.en ?? '').trim();
}

const pagesOf = (guide: GuideTexts): GuidePage[] => guide.groups.flatMap(({ pages }) => pages);

/** The guide: the list of its pages, or one of them. */
export function Guide({ page }: { page?: string }) {
  const { guide } = useSettings();
  const own = useOwnPage();
  if (guide) return <FullGuide page={page} own={own} />;
  return own === '' || page !== undefined ? <NotFound /> : <OwnPage html={own} />;
}

function OwnPage({ html }: { html: string }) {
  const { t } = useTranslation();
  return (
    <Page title={t('help.title')} width="form">
      <div className={styles.text}>
        <MessageText html={html} />
      </div>
    </Page>
  );
}

function FullGuide({ page, own }: { page: string | undefined; own: string }) {
  const { t } = useTranslation();
  const guide = useGuide();
  return (
    <Book
      {...guide}
      page={page}
      title={t('help.title')}
      search={t('help.search')}
      pages={t('help.pages')}
      home={paths.help}
      pathOf={paths.helpPage}
      own={own}
    />
  );
}

interface Shown {
  pathOf: (page: string) => string;
}

export interface BookProps extends Shown {
  query: UseQueryResult<GuideTexts | null>;
  /** The language of the pages, and whether it is that of the app. */
  shown: string;
  translated: boolean;
  page: string | undefined;
  title: string;
  /** The labels of the field, and of the list beside a page. */
  search: string;
  pages: string;
  /** The path of the list of pages. */
  home: string;
  /** HTML before the list. */
  own?: string;
}

/** A list of pages with a search, or one of the pages. */
export function Book({
  page: name,
  query,
  shown,
  translated,
  title,
  home,
  pathOf,
  own = '',
  ...labels
}: BookProps) {
  const { t } = useTranslation();
  const [parameters, set] = useQueryParams();
  const guide = query.data ?? undefined;
  const search = parameters.get('q') ?? '';
  const matches = useMatches(guide, search);
  const page = guide && pagesOf(guide).find((one) => one.name === name);
  if (guide !== undefined && name !== undefined && page === undefined)
    return <NotFound action={<LinkButton href={home}>{title}</LinkButton>} />;
  const field = (
    <>
      <SearchField label={labels.search} value={search} onChange={(q) => set({ q: q || null })} />
      <p role="status" className="visually-hidden">
        {matches?.length === 0 && t('palette.nothing', { text: search })}
        {matches !== undefined && matches.length > 0 && t('help.found', { count: matches.length })}
      </p>
    </>
  );
  const content =
    guide === undefined ? (
      <Loading query={query} failed={t('help.failed')}>
        <SkeletonRows rows={6} oneLine />
      </Loading>
    ) : (
      <div lang={shown} dir={languages[shown as keyof typeof languages].direction}>
        {matches !== undefined ? (
          <Matches matches={matches} search={search} label={labels.search} pathOf={pathOf} />
        ) : page === undefined ? (
          <Overview guide={guide} pathOf={pathOf} />
        ) : (
          <Article guide={guide} page={page} pathOf={pathOf} />
        )}
      </div>
    );
  return (
    <Page
      title={search === '' && page !== undefined ? page.title : title}
      parent={title}
      breadcrumb={name === undefined ? [] : [{ label: title, href: home }]}
    >
      {!translated && <p className={styles.note}>{t('help.english')}</p>}
      {name === undefined ? (
        <div className={styles.overview}>
          {field}
          {search === '' && own !== '' && <MessageText html={own} />}
          {content}
        </div>
      ) : (
        <div className={styles.layout}>
          <div className={styles.side}>
            {field}
            {guide && (
              <PageList guide={guide} current={name} lang={shown} title={labels.pages} pathOf={pathOf} />
            )}
          </div>
          {content}
        </div>
      )}
    </Page>
  );
}

const wide = matchMedia('(width >= 68.75rem)');
function subscribeToWidth(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

/** All pages: at the side, or above the text in a part that can be opened. */
interface PageListProps extends Shown {
  guide: GuideTexts;
  current: string;
  lang: string;
  /** Of all pages together. */
  title: string;
}

function PageList({ guide, current, lang, title, pathOf }: PageListProps) {
  const isWide = useSyncExternalStore(subscribeToWidth, () => wide.matches);
  const list = (
    <nav aria-label={title} lang={lang} className={styles.pages}>
      {guide.groups.map(({ title, pages }) => (
        <div key={title}>
          <p className={styles.group}>{title}</p>
          <ul>
            {pages.map(({ name, title }) => (
              <li key={name}>
                <Link href={pathOf(name)} aria-current={name === current ? 'page' : undefined}>
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
  if (isWide) return list;
  return (
    <details className={styles.more}>
      <summary>{title}</summary>
      {list}
    </details>
  );
}

/** The pages in groups, each with its first sentence. */
function Overview({ guide, pathOf }: Shown & { guide: GuideTexts }) {
  return (
    <>
      {guide.intro !== '' && <p className={styles.intro}>{guide.intro}</p>}
      {guide.groups.map(({ title, pages }) => (
        <section key={title}>
          <h2 className={styles.heading}>{title}</h2>
          <ul className={styles.cards}>
            {pages.map(({ name, title, summary }) => (
              <li key={name} className={styles.card}>
                <Link href={pathOf(name)}>{title}</Link>
                <p>{summary}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** Shows the heading that the address names. */
function goToHeading(): void {
  const heading = document.getElementById(location.hash.slice(1));
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}

function Article({ guide, page, pathOf }: Shown & { guide: GuideTexts; page: GuidePage }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page has headings of its own
  useEffect(goToHeading, [page]);
  const follow = (event: MouseEvent<HTMLElement>): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const href = link?.getAttribute('href');
    const elsewhere = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0;
    if (elsewhere || !href || !/^[?#]/.test(href)) return;
    event.preventDefault();
    if (href.startsWith('?')) {
      navigate(href.slice(1));
    } else {
      navigate(pathOf(page.name) + href, { replace: true });
      goToHeading();
    }
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: pressing Enter on a link is a click */}
      <article
        className={styles.text}
        onClick={follow}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the build makes it from our own files (bin/markdown.ts)
        dangerouslySetInnerHTML={{ __html: page.html }}
      />
      <Neighbours guide={guide} page={page} pathOf={pathOf} />
    </>
  );
}

/** Links to the previous and the next page. */
function Neighbours({ guide, page, pathOf }: Shown & { guide: GuideTexts; page: GuidePage }) {
  const { t, language } = useTranslation();
  const pages = pagesOf(guide);
  const at = pages.indexOf(page);
  const link = (to: GuidePage | undefined, direction: 'previous' | 'next', icon: ReactNode) =>
    to && (
      <Link href={pathOf(to.name)} data-to={direction} className={styles.neighbour}>
        <span lang={language}>
          {icon}
          {t(`help.${direction}`)}
        </span>
        {to.title}
      </Link>
    );
  return (
    <nav aria-label={t('pagination.label')} className={styles.neighbours}>
      {link(pages[at - 1], 'previous', <PreviousIcon />)}
      {link(pages[at + 1], 'next', <NextIcon />)}
    </nav>
  );
}

/** Parts of pages with the words that are searched for; `undefined` without a search. */
function useMatches(guide: GuideTexts | undefined, search: string): Match[] | undefined {
  const isSearching = search !== '';
  const parts = useMemo(() => (guide && isSearching ? partsOf(guide) : undefined), [guide, isSearching]);
  return parts && matchesOf(parts, search);
}

interface MatchesProps extends Shown {
  matches: readonly Match[];
  search: string;
  label: string;
}

function Matches({ matches, search, label, pathOf }: MatchesProps) {
  const { t, language } = useTranslation();
  return (
    <>
      {matches.length === 0 && (
        <div lang={language}>
          <EmptyState icon={<NothingFoundIcon />} title={t('palette.nothing', { text: search })} />
        </div>
      )}
      <ul className={styles.matches} aria-label={label}>
        {matches.map(({ page, title, heading, anchor, excerpt }) => (
          <li key={page + anchor} className={styles.match}>
            <Link href={pathOf(page) + anchor}>{heading || title}</Link>
            {heading !== '' && <span className={styles.of}>{title}</span>}
            <p>{excerpt}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
