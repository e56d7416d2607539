/** Who can open a folder or a pad, and pads that are shared alone with people. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { AccessAnswer } from '../../../api/access/schema';
import { type GrantRole, grantRoles } from '../../../model/store/entities';
import { call, isError } from './client';
import { keys } from './keys';
import type { Shared } from './links';
import { useCall } from './useCall';

export const accessQuery = ({ group, pad }: Shared) =>
  queryOptions({
    queryKey: keys.access(group, pad),
    queryFn: ({ signal }): Promise<AccessAnswer> =>
      pad === undefined
        ? call('GET /group/{id}/access', { params: { id: group }, signal })
        : call('GET /pad/{id}/access', { params: { id: pad }, signal }),
  });

export function useAccess(shared: Shared, enabled: boolean) {
  return useQuery({ ...accessQuery(shared), enabled });
}

/** Usernames and email addresses by the role that they get in the pad. `removed`: it is no longer shared with them. */
export type PadShares = Readonly<Record<GrantRole | 'removed', readonly string[]>>;

/** Shares a pad alone with people. Returns the entries without an account. */
export const useSharePad = (id: string) =>
  useCall(async (shares: PadShares): Promise<string[]> => {
    const absent: string[] = [];
    for (const role of grantRoles) {
      if (shares[role].length === 0) continue;
      const body = { loginsOrEmails: [...shares[role]], role };
      absent.push(...(await call('POST /pad/{id}/people', { params: { id }, body })).absent);
    }
    for (const login of shares.removed)
      await call('DELETE /pad/{id}/people/{login}', { params: { id, login } }).catch((error: unknown) => {
        // They have left meanwhile, or another manager has removed them. The others must go too.
        if (!isError(error, 'BACKEND.ERROR.GROUP.NOT_USER')) throw error;
      });
    return absent;
  }, keys.everyAccess);

/** Takes a folder or pad out of the person's list of shared things. They lose the access that it gave. */
export const useLeaveShared = () =>
  useCall((id: string) => call('DELETE /shared/{id}', { params: { id } }), keys.groups, keys.recent);
