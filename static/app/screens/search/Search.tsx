import { useState } from 'react';
import { displayName } from '../../components/Avatar';
import { SearchField } from '../../components/Filters';
import { NothingFoundIcon } from '../../components/icons';
import { Page } from '../../components/Page';
import { Pagination, pageIn, useLastPage } from '../../components/Pagination';
import { RelativeTime } from '../../components/RelativeTime';
import { Select } from '../../components/Select';
import { EmptyState, Loading, SkeletonRows } from '../../components/States';
import { SearchIcon } from '../../components/screenIcons';
import { type ListedFolder, useGroups, useTags } from '../../data/folders';
import { type TextMatch, useTextSearch } from '../../data/textSearch';
import { Link, useQueryParams } from '../../navigation/location';
import { folderOf } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { HelpLink } from '../guide/HelpLink';
import { useKnownPeople } from '../people/useKnownPeople';
import { Excerpt, placeOf } from './Excerpt';
import styles from './Search.module.css';

const pageSize = 20;

const day = 24 * 3600_000;
/** The choices of the filter by time, in days. */
const periods = { week: 7, month: 30, year: 365 } as const;
const isPeriod = (text: string): text is keyof typeof periods => Object.hasOwn(periods, text);

/** The search in the texts of pads. What is searched for is in the address. */
export function Search() {
  const { t } = useTranslation();
  const [parameters, set] = useQueryParams();
  const [opened] = useState(() => Date.now());
  const text = parameters.get('q') ?? '';
  const group = parameters.get('group') ?? '';
  const tag = parameters.get('tag') ?? '';
  const by = parameters.get('by') ?? '';
  const since = parameters.get('since') ?? '';
  const period = isPeriod(since) ? since : '';
  const page = pageIn(parameters);
  const query = useTextSearch({
    text,
    group: group || undefined,
    tag: tag || undefined,
    by: by || undefined,
    since: period === '' ? undefined : opened - periods[period] * day,
    offset: (page - 1) * pageSize,
    limit: pageSize,
  });
  const { data } = query;
  const shown = text === '' ? undefined : data;
  const pages = Math.ceil((shown?.count ?? 0) / pageSize);
  useLastPage(shown?.value.length === 0, { page, pages });
  return (
    <Page title={t('search.title')} width="form">
      <div className={styles.bar}>
        <SearchField
          focused
          label={t('search.placeholder')}
          value={text}
          onChange={(q) => set({ q: q || null, page: null })}
        />
        <FolderFilter value={group} onChange={(id) => set({ group: id || null, page: null })} />
        <TagFilter value={tag} onChange={(one) => set({ tag: one || null, page: null })} />
        <PersonFilter value={by} onChange={(id) => set({ by: id || null, page: null })} />
        <Filter
          label={t('search.since')}
          any={t('search.since.any')}
          value={period}
          options={[
            { value: 'week', label: t('search.since.week') },
            { value: 'month', label: t('search.since.month') },
            { value: 'year', label: t('search.since.year') },
          ]}
          onChange={(since) => set({ since: since || null, page: null })}
        />
      </div>
      <p role="status" className={styles.count}>
        {shown !== undefined && shown.count > 0 && t('folders.pads', { count: shown.count })}
        {shown?.count === 0 && <span className="visually-hidden">{t('search.none')}</span>}
        {shown?.complete === false && ` ${t('search.incomplete')}`}
      </p>
      {text === '' ? (
        <EmptyState icon={<SearchIcon />} title={t('search.start')}>
          {t('search.start.text')} <HelpLink page="finding#texts" about={t('search.title')} />
        </EmptyState>
      ) : (
        <Loading query={query} failed={t('search.failed')}>
          <SkeletonRows rows={5} height={96} />
        </Loading>
      )}
      {shown?.count === 0 && (
        <EmptyState icon={<NothingFoundIcon />} title={t('search.none')}>
          {t('search.none.text')}
        </EmptyState>
      )}
      {shown !== undefined && shown.count > 0 && (
        <>
          <Matches matches={shown.value} />
          <Pagination page={page} pages={pages} />
        </>
      )}
    </Page>
  );
}

/** The folders that pads of lists are in, by their name. */
function useFolders(): ListedFolder[] {
  const { language } = useTranslation();
  const { data } = useGroups();
  const all = { ...data?.bookmarks.groups, ...data?.shared.groups, ...data?.groups };
  return Object.values(all).sort((one, other) => one.name.localeCompare(other.name, language));
}

interface ChosenProps {
  value: string;
  onChange: (value: string) => void;
}

interface FilterProps extends ChosenProps {
  label: string;
  /** The choice that limits nothing. */
  any: string;
  options: readonly { value: string; label: string }[];
}

/** Not shown if there is nothing to choose. Shows “…” for a value in the address that is none of the choices. */
function Filter({ label, any, value, options, onChange }: FilterProps) {
  const isKnown = value === '' || options.some((one) => one.value === value);
  if (options.length === 0 && isKnown) return null;
  return (
    <Select
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[{ value: '', label: any }, ...options, ...(isKnown ? [] : [{ value, label: '…' }])]}
    />
  );
}

function FolderFilter(chosen: ChosenProps) {
  const { t } = useTranslation();
  const options = useFolders().map(({ _id, name }) => ({ value: _id, label: name }));
  return <Filter {...chosen} label={t('search.folder')} any={t('search.folder.all')} options={options} />;
}

function TagFilter(chosen: ChosenProps) {
  const { t } = useTranslation();
  const options = useTags().map(([tag]) => ({ value: tag, label: tag }));
  return <Filter {...chosen} label={t('nav.tags')} any={t('search.tag.all')} options={options} />;
}

/** Who changed the pad last, of the people whom the person sees. */
function PersonFilter(chosen: ChosenProps) {
  const { t } = useTranslation();
  const options = useKnownPeople().map((person) => ({ value: person._id, label: displayName(person) }));
  return <Filter {...chosen} label={t('lastEditor.heading')} any={t('search.by.any')} options={options} />;
}

function Matches({ matches }: { matches: readonly TextMatch[] }) {
  const { t } = useTranslation();
  const names = new Map(useFolders().map(({ _id, name }) => [_id, name]));
  return (
    <ul aria-label={t('search.title')}>
      {matches.map((match) => {
        const { pad, excerpt } = match;
        const folder = names.get(folderOf(pad));
        const time = pad.lastUpdate ?? pad.ctime;
        return (
          <li key={pad._id} className={styles.match}>
            <Link href={placeOf(match)} className={styles.name}>
              <bdi>{pad.name}</bdi>
            </Link>
            <p className={styles.excerpt} dir="auto">
              <Excerpt excerpt={excerpt} />
            </p>
            <p className="muted">
              {folder !== undefined && (
                <>
                  <bdi>{folder}</bdi>
                  {time !== 0 && ' · '}
                </>
              )}
              <RelativeTime time={time} />
            </p>
          </li>
        );
      })}
    </ul>
  );
}
