import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, isError } from './client';

const goneKey = 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND';

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
  if (!isError(error, goneKey)) throw error;
}

/**
 * Ids of what this page has deleted, or may have: the answer did not arrive. What others have deleted is not in it, so
 * that an undo does not restore that.
 */
export const deletedHere = new Set<string>();

/** A deletion that was sent. Somebody else may have deleted `id` meanwhile. */
export const deletionOf = (id: string, sent: Promise<unknown>): Promise<void> =>
  sent.then(
    () => void deletedHere.add(id),
    (error: unknown) => {
      if (isError(error) && error.status === 0) deletedHere.add(id);
      unlessEnded(error);
    },
  );

/** For `catch` of a call about something in the trash, which may have been restored meanwhile, or deleted for good. */
export function notInTrash(error: unknown): never {
  throw isError(error, goneKey) ? new ApiError('CLIENT.ERROR.NOT_IN_TRASH') : error;
}
