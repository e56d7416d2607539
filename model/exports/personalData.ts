/**
 * What this server knows of a person, for their right of access: their account and what belongs to it. Without secrets:
 * no password or token, no hash of one. Of folders and pads only the names that the person may see.
 */

import type { ApiTokens } from '../access/apiTokens';
import type { Factors } from '../access/factors';
import { type Actor, isOpen, isPadListed, type Policy, padEntry, seesGroup } from '../access/permissions';
import type { Sessions } from '../access/session';
import type { Groups } from '../folders/group';
import type { Pads } from '../folders/pad';
import type { RecentPads } from '../folders/recentPads';
import { fullName } from '../fullName';
import type { UserLists } from '../people/userlist';
import { type GroupRecord, type PadRecord, roleOfList, type UserRecord } from '../store/entities';
import { groupsOf, listWith } from '../store/records';
import { keys, type Store } from '../store/store';

export interface PersonalDataContext {
  store: Pick<Store, 'get'>;
  groups: Pick<Groups, 'findMany'>;
  pads: Pick<Pads, 'findMany'>;
  sessions: Pick<Sessions, 'list'>;
  apiTokens: Pick<ApiTokens, 'list'>;
  factors: Pick<Factors, 'of'>;
  userLists: Pick<UserLists, 'all'>;
  recentPads: Pick<RecentPads, 'of'>;
  policy: () => Policy;
}

/** `null` also for 0, which stands for a time that 1.x has not stored. */
const isoTime = (time: number | null | undefined): string | null =>
  time ? new Date(time).toISOString() : null;

function accountOf(user: UserRecord): object {
  return {
    username: user.login,
    email: user.email,
    newEmail: user.pendingEmail?.address ?? null,
    firstName: user.firstname,
    lastName: user.lastname,
    organization: user.organization,
    language: user.lang,
    colour: user.color,
    nameInPads: user.padNickname,
    usesNameAndColourInPads: user.useLoginAndColorInPads,
    hidesHints: user.hideHelp,
    usesSingleKeys: user.singleKeys !== false,
    getsEmailWhenAdded: user.mailWhenAdded !== false,
    active: user.active,
    notInDirectorySince: isoTime(user.absent?.since),
    created: isoTime(user.ctime),
    authorsInEtherpad: user.authors ?? [],
    atOtherServices: (user.identities ?? []).map(({ method, issuer, subject }) => ({
      method,
      issuer,
      subject,
    })),
  };
}

export class PersonalData {
  constructor(
    private readonly context: PersonalDataContext,
    private readonly user: UserRecord,
    private readonly actor: Actor,
  ) {}

  async read(): Promise<object> {
    const { user } = this;
    const { sessions, apiTokens, factors, store } = this.context;
    const { totp, passkeys, recovery } = await factors.of(user);
    return {
      account: accountOf(user),
      folders: await this.memberships(),
      sharedPads: await this.sharedPads(),
      bookmarks: {
        folders: await this.folderNames(user.bookmarks.groups),
        pads: await this.padNames(user.bookmarks.pads),
      },
      openedByLink: {
        folders: await this.folderNames((user.keptLinks ?? []).flatMap(({ group }) => group ?? [])),
        pads: await this.padNames((user.keptLinks ?? []).flatMap(({ pad }) => pad ?? [])),
      },
      recentPads: await this.padNames(await this.context.recentPads.of(user._id)),
      peopleLists: await this.lists(),
      sessions: (await sessions.list(user._id)).map(({ created, lastSeen, browser }) => ({
        created: isoTime(created),
        lastUsed: isoTime(lastSeen),
        browser,
      })),
      apiTokens: (await apiTokens.list(user._id)).map((token) => ({
        name: token.name,
        lastFour: token.lastFour,
        scopes: token.scopes,
        addresses: token.addresses,
        created: isoTime(token.created),
        ends: isoTime(token.ends),
        lastUsed: isoTime(token.lastUsed),
      })),
      secondFactors: {
        authenticatorApp: totp !== undefined,
        passkeys: passkeys.map(({ name, created, lastUsed }) => ({
          name,
          created: isoTime(created),
          lastUsed: isoTime(lastUsed),
        })),
        recoveryCodesLeft: recovery.length,
      },
      fromOtherServices: (await store.get<object>(keys.attributes(user._id))) ?? {},
    };
  }

  private async memberships(): Promise<object[]> {
    const groups = await this.context.groups.findMany(groupsOf(this.user));
    return [...groups.values()].flatMap((group) => {
      const list = listWith(this.user._id, group);
      return list ? [{ name: group.name, role: roleOfList[list] }] : [];
    });
  }

  private async sharedPads(): Promise<object[]> {
    const pads = await this.context.pads.findMany(this.user.sharedPads ?? []);
    return [...pads.values()].flatMap(({ name, people }) => {
      const role = people?.[this.user._id];
      return role === undefined ? [] : [{ name, role }];
    });
  }

  private async folderNames(ids: readonly string[]): Promise<string[]> {
    const groups = await this.context.groups.findMany(ids);
    const isSeen = (group: GroupRecord) => seesGroup(this.actor, group, this.context.policy());
    return [...groups.values()].filter(isSeen).map(({ name }) => name);
  }

  private async padNames(ids: readonly string[]): Promise<string[]> {
    const pads = await this.context.pads.findMany(ids);
    const groups = await this.context.groups.findMany([...pads.values()].map(({ group }) => group));
    return [...pads.values()].filter((pad) => this.knows(pad, groups.get(pad.group))).map(({ name }) => name);
  }

  private knows(pad: PadRecord, group: GroupRecord | undefined): boolean {
    if (group === undefined) return false;
    const policy = this.context.policy();
    return isOpen(padEntry(this.actor, pad, group, policy)) || isPadListed(this.actor, pad, group, policy);
  }

  private async lists(): Promise<object[]> {
    const lists = await this.context.userLists.all(this.user._id);
    return lists.map(({ name, people }) => ({
      name,
      people: people.map(({ user, full }) => ({
        username: user.login,
        ...(full && fullName(user) !== '' && { name: fullName(user) }),
      })),
    }));
  }
}
