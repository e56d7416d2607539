import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { shouldRetry } from './queryClient';

/**
 * The data and the error of a query; while it is read again, the error from before. Otherwise a form that is shown
 * because of this error, as for a password, would be replaced, and what was typed in it lost.
 */
export function useLastError<Data>(
  id: string,
  { data, error, isFetched, isPlaceholderData }: UseQueryResult<Data>,
): { data: Data | undefined; error: Error | null } {
  const [last, setLast] = useState({ id, error });
  const isEmpty = data === undefined || isPlaceholderData;
  // `isFetched` is false after a reset, when somebody else has signed in.
  const isOpen = isEmpty && isFetched && (error === null || shouldRetry(0, error));
  if (isOpen && last.id === id && last.error !== null) return { data: undefined, error: last.error };
  if (last.id !== id || last.error !== error) setLast({ id, error });
  return { data, error };
}
