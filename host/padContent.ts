/** Reads the current text of a pad and its history. */
import { core } from './core';
import type { PadManager } from './padCore';

export interface PadContent {
  /** Number of the last revision. */
  head: number;
  text: string;
  /** The attributes of the text, in Etherpad's notation. */
  attribs: string;
  /** The number of attributes in its pool. */
  attributes: number;
  changesetOf(revision: number): Promise<unknown>;
  /** The attributes of the text of an earlier revision, `''` if it is damaged. Slow, but for every hundredth one. */
  attribsOf(revision: number): Promise<string>;
}

/**
 * `undefined` if the pad does not exist. Unlike Etherpad's `getPad`, this does not create it. `isThere`: it is known to
 * exist. Asking Etherpad copies the record of the pad with all its attributes.
 */
export async function contentOfPad(padId: string, isThere = false): Promise<PadContent | undefined> {
  const manager = core<PadManager>('node/db/PadManager');
  if (!isThere && !(await manager.doesPadExist(padId))) return undefined;
  const pad = await manager.getPad(padId);
  return {
    head: pad.head,
    text: pad.atext.text,
    attribs: pad.atext.attribs,
    attributes: pad.pool.nextNum,
    changesetOf: (revision) => pad.getRevisionChangeset(revision),
    async attribsOf(revision) {
      try {
        return (await pad.getInternalRevisionAText(revision)).attribs;
      } catch {
        return '';
      }
    },
  };
}
