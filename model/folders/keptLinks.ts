/** Links that people keep under "Shared with me". All their sessions have proved them, also those that begin later. */
import { proofOfLink } from '../access/permissions';
import type { Sessions } from '../access/session';
import type { Users } from '../accounts/user';
import { limits } from '../limits';
import { fingerprint } from '../passwords/password';
import type { GroupRecord, KeptLink, LinkRecord, SessionRecord, UserRecord } from '../store/entities';

interface KeptLinksContext {
  users: Pick<Users, 'update'>;
  sessions: Pick<Sessions, 'list' | 'unlock' | 'forgetLinks'>;
}

export function createKeptLinks({ users, sessions }: KeptLinksContext) {
  return {
    async keep(user: string, group: GroupRecord, link: LinkRecord): Promise<void> {
      const { _id, pad } = link;
      const target = pad === undefined ? { group: group._id } : { pad };
      const kept: KeptLink = { _id, ...target, proof: fingerprint(proofOfLink(link)) };
      await users.update(user, (current) => {
        const others = (current.keptLinks ?? []).filter((one) => one._id !== _id);
        return { ...current, keptLinks: [...others, kept].slice(-limits.keptLinks) };
      });
      for (const session of await sessions.list(user))
        await sessions.unlock(session._id, 'link', _id, proofOfLink(link));
    },

    /** Forgets the links to this group or pad. */
    async forget(user: string, target: string): Promise<void> {
      let forgotten: string[] = [];
      await users.update(user, (current) => {
        const { keptLinks = [] } = current;
        const gone = keptLinks.filter(({ group, pad }) => (group ?? pad) === target);
        forgotten = gone.map(({ _id }) => _id);
        if (gone.length === 0) return undefined;
        return { ...current, keptLinks: keptLinks.filter((one) => !gone.includes(one)) };
      });
      if (forgotten.length > 0) await sessions.forgetLinks(user, forgotten);
    },

    /** What a new session of the person has proved. */
    proofsOf: ({ keptLinks = [] }: Pick<UserRecord, 'keptLinks'>): SessionRecord['unlocked'] =>
      Object.fromEntries(keptLinks.map(({ _id, proof }) => [`link:${_id}`, proof])),
  };
}

export type KeptLinks = ReturnType<typeof createKeptLinks>;
