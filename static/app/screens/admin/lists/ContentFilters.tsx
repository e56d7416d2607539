import type { ReactNode } from 'react';
import { type Visibility, visibilities } from '../../../../../model/store/entities';
import { ChipButton, visibilityIcons } from '../../../components/Chip';
import { FilterBar, SearchField } from '../../../components/Filters';
import { TimeIcon } from '../../../components/icons';
import { ArchiveIcon, RestrictedIcon } from '../../../components/screenIcons';
import type { Query } from '../../../data/client';
import { useQueryParams } from '../../../navigation/location';
import { useTranslation } from '../../../texts/i18n';

const year = 365 * 24 * 3600_000;
/** Clears filters and search, and returns to the first page. */
const clear = { q: null, visibility: null, archived: null, unchanged: null, person: null, page: null };

function isVisibility(value: string | null): value is Visibility {
  return visibilities.some((one) => one === value);
}

export interface ContentQuery {
  query: Query;
  filtered: boolean;
  /** The parameters that clear all filters, for `set`. */
  clear: typeof clear;
}

/** The filters of the lists of folders and pads, as they are in the URL. */
export function useContentFilters(): ContentQuery {
  const [parameters] = useQueryParams();
  const visibility = parameters.get('visibility');
  // Rounded to a day, so that the query stays the same while the screen is open.
  const lastYear = Math.floor((Date.now() - year) / 86_400_000) * 86_400_000;
  return {
    query: {
      text: parameters.get('q') || undefined,
      visibility: isVisibility(visibility) ? visibility : undefined,
      archived: parameters.get('archived') === 'true' ? true : undefined,
      changedBefore: parameters.get('unchanged') === 'year' ? lastYear : undefined,
      member: parameters.get('person') || undefined,
    },
    filtered: Object.keys(clear).some((name) => name !== 'page' && parameters.get(name)),
    clear,
  };
}

interface ContentFiltersProps {
  label: string;
  count: string | undefined;
  /** Nothing was found. The message below has the button that clears the filters. */
  nothing: boolean;
  /** SortMenu. */
  tools: ReactNode;
}

/** Search, filters and number of results above the lists of folders and pads. */
export function ContentFilters({ label, count, nothing, tools }: ContentFiltersProps) {
  const { t } = useTranslation();
  const [parameters, set] = useQueryParams();
  const { query, filtered } = useContentFilters();
  const choose = (name: string, value: string): void =>
    set({ [name]: parameters.get(name) === value ? null : value, page: null });
  return (
    <FilterBar
      search={
        <SearchField
          label={label}
          value={parameters.get('q') ?? ''}
          onChange={(q) => set({ q, page: null })}
        />
      }
      tools={tools}
      count={count}
      filtered={
        filtered && Object.entries(query).some(([name, value]) => name !== 'text' && value !== undefined)
      }
      onClear={filtered && !nothing ? () => set(clear) : undefined}
    >
      {visibilities.map((visibility) => {
        const Icon = visibilityIcons[visibility];
        return (
          <ChipButton
            key={visibility}
            icon={<Icon />}
            pressed={query.visibility === visibility}
            onPress={() => choose('visibility', visibility)}
          >
            {t(`visibility.${visibility}`)}
          </ChipButton>
        );
      })}
      <ChipButton
        icon={<ArchiveIcon />}
        pressed={query.archived === true}
        onPress={() => choose('archived', 'true')}
      >
        {t('folderView.archived')}
      </ChipButton>
      <ChipButton
        icon={<TimeIcon />}
        pressed={query.changedBefore !== undefined}
        onPress={() => choose('unchanged', 'year')}
      >
        {t('admin.list.unchanged')}
      </ChipButton>
      {typeof query.member === 'string' && (
        <ChipButton icon={<RestrictedIcon />} pressed onPress={() => set({ person: null, page: null })}>
          {query.member}
        </ChipButton>
      )}
    </FilterBar>
  );
}
