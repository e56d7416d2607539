/** Asking for access to a folder or pad. */
import { call } from './client';
import { useCall } from './useCall';

/** What somebody asks for. */
export interface AskedFor {
  what: 'folder' | 'pad';
  id: string;
}

/** Asks for access. The answer does not say what the managers decide. */
export const useAskForAccess = ({ what, id }: AskedFor) =>
  useCall((text: string) => {
    const input = { params: { id }, body: text === '' ? {} : { text } };
    return call(what === 'folder' ? 'POST /group/{id}/requests' : 'POST /pad/{id}/requests', input);
  });
