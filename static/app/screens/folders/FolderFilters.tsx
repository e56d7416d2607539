import type { ReactNode } from 'react';
import { limits } from '../../../../model/limits';
import { visibilities } from '../../../../model/store/entities';
import { ChipButton, visibilityIcons } from '../../components/Chip';
import { FilterBar, SearchField, SortMenu } from '../../components/Filters';
import { AdminIcon, InviteIcon, TagIcon } from '../../components/screenIcons';
import { useSettings } from '../../data/configuration';
import type { SortField, Sorting } from '../../data/preferences';
import { useQueryParams } from '../../navigation/location';
import { useTranslation } from '../../texts/i18n';
import { type Filters, isFiltered } from './folderListing';

export interface FolderFiltersProps {
  filters: Filters;
  sorting: Sorting;
  onSort: (by: SortField, ascending: boolean) => void;
  /** The number of all folders, and of those that match the filters. */
  total: number;
  found: number;
  /** Nothing was found. The message below has the button that clears the filters. */
  nothing: boolean;
  /** Buttons at the end of the line. */
  tools: ReactNode;
}

/** One button for each filter. A press on the current filter switches it off. */
function FilterChips({ filters }: { filters: Filters }) {
  const { t } = useTranslation();
  const [parameters, set] = useQueryParams();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  const choose = (name: 'role' | 'visibility', value: string): void =>
    set({ [name]: parameters.get(name) === value ? null : value, page: null });
  return (
    <>
      <ChipButton
        icon={<AdminIcon />}
        pressed={filters.role === 'admin'}
        onPress={() => choose('role', 'admin')}
      >
        {t('folders.filter.admin')}
      </ChipButton>
      <ChipButton
        icon={<InviteIcon />}
        pressed={filters.role === 'user'}
        onPress={() => choose('role', 'user')}
      >
        {t('folders.filter.user')}
      </ChipButton>
      {!signedInOnly &&
        visibilities.map((visibility) => {
          const Icon = visibilityIcons[visibility];
          return (
            <ChipButton
              key={visibility}
              icon={<Icon />}
              pressed={filters.visibility === visibility}
              onPress={() => choose('visibility', visibility)}
            >
              {t(`visibility.${visibility}`)}
            </ChipButton>
          );
        })}
      {filters.tags.map((tag) => (
        <ChipButton
          key={tag}
          icon={<TagIcon />}
          pressed
          onPress={() => set({ tag: filters.tags.filter((other) => other !== tag), page: null })}
        >
          {tag}
        </ChipButton>
      ))}
    </>
  );
}

/** Search, filters and sorting of the list. All are in the URL; the sorting is also in a cookie. */
export function FolderFilters(props: FolderFiltersProps) {
  const { filters, sorting, onSort, total, found, nothing, tools } = props;
  const { t } = useTranslation();
  const [parameters, set] = useQueryParams();
  const clear = (): void => set({ q: null, role: null, visibility: null, tag: null, page: null });
  return (
    <FilterBar
      search={
        <SearchField
          label={t('folders.search')}
          value={parameters.get('q') ?? ''}
          least={limits.search}
          onChange={(q) => set({ q, page: null })}
        />
      }
      tools={
        <>
          <SortMenu
            options={[
              { value: 'name', label: t('folders.sort.name') },
              { value: 'ctime', label: t('folders.sort.created') },
              { value: 'lastUpdate', label: t('folders.sort.updated') },
            ]}
            value={sorting.by}
            ascending={sorting.ascending}
            onChange={onSort}
          />
          {tools}
        </>
      }
      count={
        found === total ? t('folders.count', { count: total }) : t('folders.found', { count: total, found })
      }
      filtered={isFiltered({ ...filters, text: '' })}
      onClear={isFiltered(filters) && !nothing ? clear : undefined}
    >
      <FilterChips filters={filters} />
    </FilterBar>
  );
}
