import { SortMenu } from '../../../components/Filters';
import type { ListSorting } from './useSorting';

export interface ListSortMenuProps<Field extends string> {
  sorting: ListSorting<Field>;
  /** What each field is called. */
  fields: Readonly<Record<Field, string>>;
}

/** Sorts a list of the administration where its headings are not shown. */
export function ListSortMenu<Field extends string>({ sorting, fields }: ListSortMenuProps<Field>) {
  const { value, ascending, onSort } = sorting;
  const options = (Object.keys(fields) as Field[]).map((field) => ({ value: field, label: fields[field] }));
  return <SortMenu options={options} value={value} ascending={ascending} onChange={onSort} />;
}
