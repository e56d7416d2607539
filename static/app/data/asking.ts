/** Asking for access to a folder or pad. */
import { useMutation } from '@tanstack/react-query';
import { call } from './client';

/** What somebody asks for. */
export interface AskedFor {
  what: 'folder' | 'pad';
  id: string;
}

/** Asks for access. The answer does not say what the managers decide. */
export function useAskForAccess({ what, id }: AskedFor) {
  return useMutation({
    mutationFn: async (text: string): Promise<void> => {
      const input = { params: { id }, body: text === '' ? {} : { text } };
      await (what === 'folder'
        ? call('POST /group/{id}/requests', input)
        : call('POST /pad/{id}/requests', input));
    },
  });
}
