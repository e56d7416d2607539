import { hostMajor } from './core';
import type { PadCore } from './padCore';

/** Resolves the ids that a browser sends to pad ids. */
export function createPadIds({ manager, readOnly, exists }: PadCore) {
  /**
   * Refuses ids with a colon: Etherpad stores revisions and chat under `pad:<id>:…`, and such an id would open them as
   * a pad, without the access check of their pad. Also refuses names such as `__proto__`, over which 1.8.14 exits, and
   * `.` and `..`, which browsers remove from addresses: as Etherpad 3.3.2 does.
   */
  const isSafeId = (padId: string): boolean =>
    isStorable(padId) && !/^\.\.?$|:/.test(padId) && !(padId in Object.prototype);
  /** PostgreSQL refuses keys with NUL. */
  const isStorable = (id: string): boolean => manager.isValidPadId(id) && !id.includes('\0');
  const safeId = (padId: string): string | undefined => (isSafeId(padId) ? padId : undefined);
  /** The pad of a read-only id, which 1.8.14 accepts without its prefix too; `undefined` if there is none. */
  const ofReadOnlyId = async (id: string) =>
    id.includes('\0') ? undefined : safeId((await readOnly.getPadId(id)) ?? '');

  /** On the websocket too, 2.x and 3.x sanitise the id of a pad that does not exist. */
  const sanitisesOnSocket = hostMajor() > 1;

  return {
    isReadOnlyId: (id: string): boolean => readOnly.isReadOnlyId(id),
    ofReadOnlyId,
    /** The pad that Etherpad opens for an id in a URL; `undefined` if it opens none. */
    async ofUrl(id: string): Promise<string | undefined> {
      if (!isStorable(id)) return undefined;
      return readOnly.isReadOnlyId(id) ? ofReadOnlyId(id) : safeId(await manager.sanitizePadId(id));
    },
    /** The pad that Etherpad opens for an id on the websocket; `undefined` if it opens none. */
    async ofSocket(named: string): Promise<string | undefined> {
      const id = sanitisesOnSocket && !(await exists(named)) ? await manager.sanitizePadId(named) : named;
      return readOnly.isReadOnlyId(id) ? ofReadOnlyId(id) : safeId(id);
    },
  };
}

export type PadIds = ReturnType<typeof createPadIds>;
