/** The search in the texts of pads. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { SearchAnswer } from '../../../api/search/schema';
import { call } from './client';
import { keys } from './keys';

export interface TextSearch {
  /** `''`: nothing is searched. */
  text: string;
  /** The id of a folder. */
  group?: string | undefined;
  /** Milliseconds since 1970. */
  since?: number | undefined;
  offset?: number;
  limit?: number;
}

export type TextMatch = SearchAnswer['value'][number];

/** What is found. Shows the last answer until the next one is there. */
export function useTextSearch(search: TextSearch) {
  const { text, group, since, offset = 0, limit } = search;
  return useQuery({
    queryKey: keys.textSearch(search),
    queryFn: ({ signal }) => call('GET /search', { query: { text, group, since, offset, limit }, signal }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
}
