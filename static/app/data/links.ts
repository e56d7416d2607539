/** Links that open a folder or a pad to everybody who has them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Link, LinkFields, OpenedAnswer } from '../../../api/link/schema';
import { call } from './client';
import { keys } from './keys';
import { keepGuestToken } from './session';
import { unlessEnded, useCall } from './useCall';

/** The folder or the pad that is shared. */
export interface Shared {
  group: string;
  pad?: string | undefined;
}

export function useLinks({ group, pad }: Shared) {
  return useQuery({
    queryKey: keys.links(group, pad),
    queryFn: async ({ signal }): Promise<Link[]> => {
      const answer =
        pad === undefined
          ? await call('GET /group/{id}/links', { params: { id: group }, signal })
          : await call('GET /pad/{id}/links', { params: { id: pad }, signal });
      return answer.value;
    },
  });
}

export const useMakeLink = ({ group, pad }: Shared) =>
  useCall(async (body: LinkFields): Promise<Link> => {
    const answer =
      pad === undefined
        ? await call('POST /group/{id}/links', { params: { id: group }, body })
        : await call('POST /pad/{id}/links', { params: { id: pad }, body });
    return answer.value;
  }, keys.everyLink);

export const useEndLink = () =>
  useCall((id: string) => call('DELETE /links/{id}', { params: { id } }).catch(unlessEnded), keys.everyLink);

/** Proves a link in this session. Throws KEY_NOT_FOUND for one that has ended, PASSWORD_MISSING, UNAUTHORIZED. */
export function useOpenLink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: {
      secret: string;
      password?: string;
      name?: string;
      keep?: boolean;
    }): Promise<OpenedAnswer['value']> => {
      const answer = await call('POST /links/open', { body });
      if (answer.token !== undefined) keepGuestToken(answer.token);
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.everyGroup }),
        client.invalidateQueries({ queryKey: keys.everyPad }),
        client.invalidateQueries({ queryKey: keys.groups }),
      ]);
      return answer.value;
    },
  });
}
