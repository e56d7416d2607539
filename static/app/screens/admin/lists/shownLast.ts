import { useEffect } from 'react';
import { useLocation, useQueryParams, withParameters } from '../../../navigation/location';

/** The addresses of lists as they were shown last in this tab, by their paths. */
const addresses = new Map<string, string>();

/** Notes search, filters, order and page of the list that is shown, so that other screens lead back to it. */
export function useNoteShown(): void {
  const [path] = useLocation();
  const [parameters] = useQueryParams();
  useEffect(() => {
    addresses.set(path, withParameters(path, Object.fromEntries(parameters)));
  }, [path, parameters]);
}

/** The list at this path as it was shown last. */
export const shownLast = (path: string): string => addresses.get(path) ?? path;
