/** The search in the texts of pads. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { SearchAnswer } from '../../../api/search/schema';
import { cutText } from '../../../model/cutText';
import { limits } from '../../../model/limits';
import { call } from './client';
import { keys } from './keys';

export interface TextSearch {
  /** `''`: nothing is searched. */
  text: string;
  /** The id of a folder. */
  group?: string | undefined;
  /** A tag of folders. */
  tag?: string | undefined;
  /** The id of the account that changed it last. */
  by?: string | undefined;
  /** Milliseconds since 1970. */
  since?: number | undefined;
  offset?: number;
  limit?: number;
}

export type TextMatch = SearchAnswer['value'][number];

/** What is found, of a long text by its beginning. Shows the last answer until the next one is there. */
export function useTextSearch(search: TextSearch) {
  const { text, offset = 0 } = search;
  return useQuery({
    queryKey: keys.textSearch(search),
    queryFn: ({ signal }) =>
      call('GET /search', { query: { ...search, text: cutText(text, limits.email), offset }, signal }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
}
