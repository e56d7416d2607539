import type { RemovalAnswer } from '../../../../api/user/schema';
import { limits } from '../../../../model/limits';

/**
 * Ids of the folders that the question before the removal of an account has shown. The server deletes no others.
 * `undefined` if they could not be shown, or are too many for one call: any may be deleted then.
 */
export function shownGroups(loss: RemovalAnswer['removed'] | undefined): string[] | undefined {
  const ids = loss && [...loss.groups, ...(loss.trashed ?? [])].map(({ _id }) => _id);
  return ids && ids.length <= limits.people ? ids : undefined;
}
