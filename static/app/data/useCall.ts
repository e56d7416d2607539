import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { isError } from './client';

/**
 * A call that a person starts. Afterwards the answers below `keys` are read again: after an error too, because others
 * may have changed something. A success waits for that, so that a button is busy until the screen shows the change.
 */
export function useCall<Input = void, Answer = unknown>(
  send: (input: Input) => Promise<Answer>,
  ...keys: readonly QueryKey[]
) {
  const client = useQueryClient();
  const readAgain = () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
  return useMutation({ mutationFn: send, onSuccess: readAgain, onError: () => void readAgain() });
}

/** For `catch` of a call that ends something: it may have ended meanwhile. */
export function unlessEnded(error: unknown): void {
  if (!isError(error, 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND')) throw error;
}
