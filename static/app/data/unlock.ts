import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { GroupAnswer } from '../../../api/group/schema';
import type { PadAnswer } from '../../../api/pad/schema';
import { call, joinPath } from './client';
import { keys } from './keys';
import { keepGuestToken } from './session';

/** Unlocks a private folder or pad for this session. Throws PERMISSION.UNAUTHORIZED if the password is wrong. */
export function useUnlock(what: 'group' | 'pad', id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (password: string): Promise<void> => {
      const body = { password };
      const answer = await call<GroupAnswer | PadAnswer>(`${what}/${joinPath(id)}/unlock`, {
        method: 'POST',
        body,
      });
      if (answer.token !== undefined) keepGuestToken(answer.token);
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.everyGroup }),
        client.invalidateQueries({ queryKey: keys.everyPad }),
      ]);
    },
  });
}
