import type { Query } from '../../../data/client';
import { useQueryParams } from '../../../navigation/location';

export interface ListSorting<Field extends string> {
  value: Field;
  ascending: boolean;
  onSort: (field: Field, ascending: boolean) => void;
  /** For the call of the server. */
  query: Query;
}

/** How a list of the administration is sorted, as it is in the URL. The first field is the default. */
export function useSorting<Field extends string>(fields: readonly [Field, ...Field[]]): ListSorting<Field> {
  const [parameters, set] = useQueryParams();
  const chosen = parameters.get('sort');
  const value = fields.find((field) => field === chosen) ?? fields[0];
  const ascending = parameters.get('order') !== 'desc';
  return {
    value,
    ascending,
    onSort: (field, up) => set({ sort: field, order: up ? 'asc' : 'desc', page: null }),
    query: { sort: value, descending: !ascending },
  };
}
