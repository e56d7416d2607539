/**
 * When the session of an open editor has ended, the editor stays visible, disconnected. So the text can still be read.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Pad } from '../../../../api/answers';
import { keys } from '../../data/keys';
import { readSession, useSessionState } from '../../data/session';
import { useLatest } from '../../lib/useLatest';

export interface Held {
  pad: Pad;
  /**
   * Whether it shows text that the server does not have. If so, it stays after signing in again, so that the text can
   * be copied.
   */
  unsaved: boolean;
}

export interface HeldEditor {
  held: Held | null;
  hold: (pad: Pad, unsaved: boolean) => void;
  release: () => void;
}

/** The state of the pad `id` for a person. If somebody else signs in instead, they do not see the held text. */
export function useHeldEditor(id: string, user: string | undefined): HeldEditor {
  const [kept, setKept] = useState<(Held & { user: string | undefined }) | null>(null);
  return {
    held: kept?.pad._id === id && kept.user === user ? kept : null,
    hold: (pad, unsaved) => setKept({ pad, unsaved, user }),
    release: () => setKept(null),
  };
}

/**
 * Handles a change of access to an open editor: asks the server whether the session has ended, or only the rights have
 * changed. `reopen` is called after signing in again, unless the editor shows unsaved text.
 */
export function useAccessChange(
  pad: Pad,
  { held, hold }: HeldEditor,
  { read, reopen }: { read: () => Promise<unknown>; reopen: () => void },
): (unsaved: boolean) => Promise<'reload' | 'hold'> {
  const client = useQueryClient();
  const { ended } = useSessionState();
  const canReopen = held !== null && !held.unsaved && !ended;
  const latest = useLatest(reopen);
  useEffect(() => {
    if (canReopen) latest.current();
  }, [canReopen]);
  return async (unsaved) => {
    await client.refetchQueries({ queryKey: keys.configuration });
    if (readSession().ended) {
      hold(pad, unsaved);
      return 'hold';
    }
    await read();
    return 'reload';
  };
}
