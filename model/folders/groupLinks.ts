/** Links that open a group, or one pad of it, to whoever has their secret. permissions.ts has the access checks. */

import { randomBytes } from 'node:crypto';
import type { Tokens } from '../access/token';
import { MyPadsError, recordNotFound } from '../errors';
import { limits } from '../limits';
import type { Passwords } from '../passwords/password';
import { groupOfNote, type PartNote } from '../removal/partNotes';
import { sha256 } from '../sha256';
import type { Basics } from '../store/basics';
import type { GroupRecord, LinkRecord } from '../store/entities';
import { currentLinks } from '../store/records';
import { keys } from '../store/store';
import type { GroupCheck, GroupRecords } from './groupRecords';
import { hashedIfGiven } from './privatePassword';

/** `password` is plain text; `''` and `null` mean none. */
export interface LinkInput {
  role?: LinkRecord['role'];
  label?: string;
  /** Milliseconds since 1970; `null`: never. */
  ends?: number | null;
  password?: string | null;
  asksName?: boolean;
}

/** What is stored beside a link, also how often it was opened. */
interface LinkNote extends PartNote {
  uses?: number;
  lastUse?: number;
}

export interface LinkUse {
  uses: number;
  /** Milliseconds since 1970; `null`: never. */
  lastUse: number | null;
}

interface LinkContext extends Pick<Basics, 'store' | 'now'> {
  records: GroupRecords;
  passwords: Passwords;
  tokens: Pick<Tokens, 'ofLink'>;
}

const idOf = (secret: string): string => sha256(secret).slice(0, 32);

/**
 * The links of the group with a new one. Where they are too many, those that have ended make room, the first of them
 * first. Throws LINK.TOO_MANY.
 */
function withLink(before: readonly LinkRecord[], link: LinkRecord, now: number): LinkRecord[] {
  const gone = before
    .filter(({ ends }) => ends !== null && ends <= now)
    .sort((one, other) => Number(one.ends) - Number(other.ends))
    .slice(0, Math.max(0, before.length + 1 - limits.links));
  const links = [...before.filter((one) => !gone.includes(one)), link];
  if (links.length > limits.links)
    throw new MyPadsError('BACKEND.ERROR.LINK.TOO_MANY', { most: limits.links });
  return links;
}

function createReading({ store, records, tokens, now }: LinkContext) {
  /** The group that has this link, as its note says. */
  const groupOf = (link: string): Promise<string | undefined> => groupOfNote(store, keys.link(link));

  return {
    groupOfLink: groupOf,

    /** The link with this secret, if it still opens something. */
    async linkOfSecret(secret: string): Promise<{ group: GroupRecord; link: LinkRecord } | undefined> {
      const id = idOf(secret);
      const of = await groupOf(id);
      const group = of === undefined ? undefined : await records.find(of);
      const link = group && currentLinks(group).find(({ _id }) => _id === id);
      if (group === undefined || link === undefined) return undefined;
      if (link.ends !== null && link.ends <= now()) return undefined;
      return { group, link };
    },

    /** For those who may manage the link. */
    secretOf: ({ seed }: LinkRecord): string => tokens.ofLink(seed),

    async usesOf(links: readonly LinkRecord[]): Promise<LinkUse[]> {
      const notes = await store.getMany<LinkNote>(links.map(({ _id }) => keys.link(_id)));
      return notes.map((note) => ({ uses: note?.uses ?? 0, lastUse: note?.lastUse ?? null }));
    },

    async countUse({ _id }: LinkRecord): Promise<void> {
      await store.update<LinkNote>(
        keys.link(_id),
        (note) => note && { ...note, uses: (note.uses ?? 0) + 1, lastUse: now() },
      );
    },
  };
}

export function createGroupLinks(context: LinkContext) {
  const { store, records, passwords, tokens, now } = context;

  /** Changes one link under the lock of its group; `undefined` removes it. */
  async function changeOne(
    groupId: string,
    id: string,
    check: GroupCheck | undefined,
    change: (link: LinkRecord) => LinkRecord | undefined,
  ): Promise<GroupRecord> {
    return records.change(groupId, (current) => {
      check?.(current);
      if (!current.links.some(({ _id }) => _id === id)) throw recordNotFound(id);
      const links = current.links.flatMap((link) => (link._id === id ? (change(link) ?? []) : link));
      return { after: { ...current, links }, changed: ['links'] };
    });
  }

  return {
    ...createReading(context),

    /** Throws LINK.TOO_MANY, KEY_NOT_FOUND. `by`: as in `LinkRecord`. */
    async createLink(
      groupId: string,
      input: LinkInput & { pad?: string | undefined },
      by: string | null,
      check?: GroupCheck,
    ): Promise<LinkRecord> {
      const { role = 'reader', label = '', ends = null, password, asksName = false, pad } = input;
      const seed = randomBytes(16).toString('base64url');
      const _id = idOf(tokens.ofLink(seed));
      const own = { _id, role, label, ends, asksName, seed, by, created: now(), ...(pad && { pad }) };
      const link: LinkRecord = { ...own, password: await hashedIfGiven(passwords, password) };
      // First, so that a link in a group can always be found by its secret.
      await store.set(keys.link(_id), { group: groupId, pad } satisfies LinkNote);
      let gone: LinkRecord[] = [];
      try {
        await records.change(groupId, (current) => {
          check?.(current);
          if (pad !== undefined && !current.pads.includes(pad)) throw recordNotFound(pad);
          const before = currentLinks(current);
          const links = withLink(before, link, now());
          gone = before.filter((one) => !links.includes(one));
          return { after: { ...current, links }, changed: ['links'] };
        });
      } catch (error) {
        await store.remove(keys.link(_id));
        throw error;
      }
      for (const ended of gone) await store.remove(keys.link(ended._id));
      return link;
    },

    /** Changes the fields in `input`. Throws KEY_NOT_FOUND. */
    async changeLink(
      groupId: string,
      id: string,
      { password, ...input }: LinkInput,
      check?: GroupCheck,
    ): Promise<LinkRecord> {
      const given = password === undefined ? {} : { password: await hashedIfGiven(passwords, password) };
      const group = await changeOne(groupId, id, check, (link) => ({ ...link, ...input, ...given }));
      return group.links.find(({ _id }) => _id === id) as LinkRecord;
    },

    /** Ends a link for everybody who has opened it. Throws KEY_NOT_FOUND. */
    async endLink(groupId: string, id: string, check?: GroupCheck): Promise<void> {
      await changeOne(groupId, id, check, () => undefined);
      await store.remove(keys.link(id));
    },
  };
}
