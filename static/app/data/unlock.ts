import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from './client';
import { keys } from './keys';
import { keepGuestToken } from './session';

/** Unlocks a private folder or pad for this session. Throws PERMISSION.UNAUTHORIZED if the password is wrong. */
export function useUnlock(what: 'group' | 'pad', id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (password: string): Promise<void> => {
      const input = { params: { id }, body: { password } };
      const answer = await call(what === 'pad' ? 'POST /pad/{id}/unlock' : 'POST /group/{id}/unlock', input);
      if (answer.token !== undefined) keepGuestToken(answer.token);
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.everyGroup }),
        client.invalidateQueries({ queryKey: keys.everyPad }),
      ]);
    },
  });
}
