/**
 * The records that calls name, and the right that a call needs on them: `on` of calls.ts. A rule finds the record and
 * asks model/access/permissions.ts; its handler gets the record, and a check to repeat under the lock of the record.
 */
import type { Request } from 'express';
import {
  type Actor,
  entryErrors,
  type GroupAbilities,
  groupAbilities,
  groupSight,
  isOpen,
  mayCreateGroup,
  mayEndLink,
  mayLinkPad,
  mayReceivePad,
  mayUseTemplate,
  mayUseTrash,
  type PadAbilities,
  padAbilities,
  padEntry,
} from '../model/access/permissions';
import { type ErrorKey, MyPadsError, recordNotFound } from '../model/errors';
import type { GroupContent } from '../model/folders/groupContent';
import type { GroupCheck } from '../model/folders/groupRecords';
import { openRequests } from '../model/folders/groupRequests';
import type { PadCheck } from '../model/folders/padRecords';
import type { ImportRecord } from '../model/padImport/padImports';
import type { RestoreCheck } from '../model/removal/padTrash';
import type { Trashed } from '../model/removal/trash';
import type {
  GrantRole,
  GroupRecord,
  InvitationRecord,
  LinkRecord,
  PadRecord,
  RequestRecord,
  UserRecord,
} from '../model/store/entities';
import { peopleOf } from '../model/store/records';
import type { Services } from './services';

/** A call, after its input was checked. */
export interface Asked {
  services: Services;
  request: Request;
  actor: Actor;
  /** The fields of path and body, by name. */
  fields: Readonly<Record<string, unknown>>;
}

/** Which record a call names, and the right that it needs. */
export interface RecordRule<Found extends object = object> {
  /** The fields of path or body that name records. */
  names: readonly string[];
  /** Who may call, in words, where `who` does not say it. */
  openTo?: string;
  /** The errors that `find` throws. */
  errors: readonly ErrorKey[];
  /** Finds the record for a caller who has the right. Throws for anybody else. */
  find(asked: Asked): Promise<Found> | Found;
}

export const notFoundKey = 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND';
export const deniedKey = 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT';

/** Throws TYPE.PARAMS_REQUIRED without the field. */
export function idIn({ fields }: Asked, field: string): string {
  const id = fields[field];
  if (typeof id !== 'string') throw new MyPadsError('BACKEND.ERROR.TYPE.PARAMS_REQUIRED', { field });
  return id;
}

/** The id in the path names the record. A body that names another one is refused with `error`. */
export function requireSameId(id: string, sent: unknown, error: ErrorKey, field: string): void {
  if (sent !== undefined && sent !== id) throw new MyPadsError(error, { field });
}

/* Groups */

const groupManagers = 'the group’s managers, server administrator';

const linkMakers =
  'the group’s managers, with `linksBy` also its members for their own links, server administrator';

/** Somebody is not in the group, or cannot leave it. */
const leaving = ['BACKEND.ERROR.GROUP.NOT_USER', 'BACKEND.ERROR.GROUP.BY_RULE'] as const;

interface GroupRefusal {
  openTo: string;
  missing: ErrorKey;
  denied: ErrorKey;
}

const groupRefusal: GroupRefusal = { openTo: groupManagers, missing: notFoundKey, denied: deniedKey };

/** Where a refusal differs from `groupRefusal`. */
const groupRefusals: Partial<Record<keyof GroupAbilities, GroupRefusal>> = {
  link: { ...groupRefusal, openTo: linkMakers },
  createPad: {
    openTo: 'the group’s managers, its members with `allowUsersToCreatePads`, server administrator',
    missing: 'BACKEND.ERROR.PAD.ITEMS_NOT_FOUND',
    denied: 'BACKEND.ERROR.AUTHENTICATION.DENIED',
  },
  export: { ...groupRefusal, openTo: 'the people of the group', denied: entryErrors.no },
};

export interface GroupFound {
  group: GroupRecord;
  check: GroupCheck;
}

/**
 * A check that throws unless the actor has the ability in the group that it gets. The error names what the call names
 * (`key`): people who know only a pad or a link must not learn the id of the group, which contains its name.
 */
function groupCheck(
  { services: { model }, actor }: Asked,
  ability: keyof GroupAbilities,
  key: string,
): GroupCheck {
  const { denied } = groupRefusals[ability] ?? groupRefusal;
  return (group) => {
    if (groupAbilities(actor, group, model.policy())[ability]) return;
    throw new MyPadsError(denied, { key });
  };
}

/** The group whose id is in `field`. */
export function group(ability: keyof GroupAbilities, field = 'id'): RecordRule<GroupFound> {
  const { openTo, missing, denied } = groupRefusals[ability] ?? groupRefusal;
  return {
    names: [field],
    openTo,
    errors: [missing, denied],
    async find(asked) {
      const id = idIn(asked, field);
      requireSameId(id, asked.fields._id, 'BACKEND.ERROR.TYPE.ID_STR', '_id');
      const found = await asked.services.model.groups.find(id);
      if (found === undefined)
        throw new MyPadsError(missing, missing === notFoundKey ? { key: id } : { field });
      const check = groupCheck(asked, ability, id);
      check(found);
      return { group: found, check };
    },
  };
}

/** A person in a group: the group whose id is in the path, and the account whose login is. */
export function groupPerson(ability: keyof GroupAbilities): RecordRule<GroupFound & { user: UserRecord }> {
  const rule = group(ability);
  return {
    ...rule,
    names: ['id', 'login'],
    errors: [...rule.errors, ...leaving],
    async find(asked) {
      const found = await rule.find(asked);
      const user = await asked.services.model.users.find(idIn(asked, 'login'));
      // The same error for an unknown account, so that nobody can find out which accounts exist.
      if (!user) throw new MyPadsError('BACKEND.ERROR.GROUP.NOT_USER');
      return { ...found, user };
    },
  };
}

/** The links that the caller sees: a manager all of the group, others those that they have made. */
const seenLinks = ({ services: { model }, actor }: Asked, found: GroupRecord): LinkRecord[] =>
  found.links.filter((link) => mayEndLink(actor, link, found, model.policy()));

/** Throws DENIED_RECORD_EDIT for somebody who neither manages the group nor may make links. */
function requireLinks({ services: { model }, actor }: Asked, found: GroupRecord, key: string): void {
  const { share, link } = groupAbilities(actor, found, model.policy());
  if (!share && !link) throw new MyPadsError(deniedKey, { key });
}

/** A group, or a pad in it, with the links that the caller sees. */
export const groupLinks: RecordRule<{ group: GroupRecord; links: LinkRecord[] }> = {
  names: ['id'],
  openTo: linkMakers,
  errors: [notFoundKey, deniedKey],
  async find(asked) {
    const id = idIn(asked, 'id');
    const found = await asked.services.model.groups.find(id);
    if (found === undefined) throw recordNotFound(id);
    requireLinks(asked, found, id);
    return { group: found, links: seenLinks(asked, found) };
  },
};

export const padLinks: RecordRule<PadInGroup & { links: LinkRecord[] }> = {
  ...groupLinks,
  async find(asked) {
    const found = await requirePad(asked.services, idIn(asked, 'id'));
    requireLinks(asked, found.group, found.pad._id);
    return { ...found, links: seenLinks(asked, found.group) };
  },
};

/** The role of the link in the body. */
const linkedRole = ({ fields: { role } }: Asked, otherwise: GrantRole = 'reader'): GrantRole =>
  (role as GrantRole | undefined) ?? otherwise;

/** A check that throws unless the actor may give this role with a link to the pad. `key`: as in `groupCheck`. */
function padLinkCheck(
  { services: { model }, actor }: Asked,
  pad: PadRecord,
  role: GrantRole,
  key: string,
): GroupCheck {
  return (group) => {
    if (!mayLinkPad(actor, pad, group, role, model.policy())) throw new MyPadsError(deniedKey, { key });
  };
}

/** What the caller needs to change this link. */
async function linkChangeCheck(asked: Asked, link: LinkRecord): Promise<GroupCheck> {
  if (link.pad === undefined) return groupCheck(asked, 'link', link._id);
  const pad = await asked.services.model.pads.find(link.pad);
  if (pad === undefined) throw recordNotFound(link._id);
  return padLinkCheck(asked, pad, linkedRole(asked, link.role), link._id);
}

/** A link, by the id in the path, and its group. `change`: the caller may also change it, not only end it. */
export const ownLink = (change: boolean): RecordRule<GroupFound & { link: LinkRecord }> => ({
  names: ['id'],
  openTo: linkMakers,
  errors: [notFoundKey, deniedKey],
  async find(asked) {
    const id = idIn(asked, 'id');
    const { model } = asked.services;
    const groupId = await model.groups.groupOfLink(id);
    const found = groupId === undefined ? undefined : await model.groups.find(groupId);
    const link = found?.links.find(({ _id }) => _id === id);
    if (found === undefined || link === undefined) throw recordNotFound(id);
    const mayMake = change ? await linkChangeCheck(asked, link) : () => undefined;
    const check: GroupCheck = (current) => {
      mayMake(current);
      if (!mayEndLink(asked.actor, link, current, model.policy()))
        throw new MyPadsError(deniedKey, { key: id });
    };
    check(found);
    return { group: found, link, check };
  },
});

/** A pad, and its group. `checkOf`: what the caller needs. */
const checkedPad = (
  openTo: string,
  checkOf: (asked: Asked, pad: PadRecord) => GroupCheck,
): RecordRule<PadInGroup & { check: GroupCheck }> => ({
  names: ['id'],
  openTo,
  errors: [notFoundKey, deniedKey],
  async find(asked) {
    const found = await requirePad(asked.services, idIn(asked, 'id'));
    const check = checkOf(asked, found.pad);
    check(found.group);
    return { ...found, check };
  },
});

/** A pad to which a link is made. */
export const linkedPad = checkedPad(
  `${linkMakers}; members only for what they may do in the pad`,
  (asked, pad) => padLinkCheck(asked, pad, linkedRole(asked), pad._id),
);

/** A pad whose people the caller may change. */
export const sharedPad = checkedPad(groupManagers, (asked, pad) => groupCheck(asked, 'share', pad._id));

/** A person with whom a pad alone is shared: the pad, and the account whose login is in the path. */
export const sharedPadPerson: RecordRule<PadInGroup & { check: GroupCheck; user: UserRecord }> = {
  ...sharedPad,
  names: ['id', 'login'],
  errors: [...sharedPad.errors, 'BACKEND.ERROR.GROUP.NOT_USER'],
  async find(asked) {
    const found = await sharedPad.find(asked);
    const user = await asked.services.model.users.find(idIn(asked, 'login'));
    // The same error for an unknown account, so that nobody can find out which accounts exist.
    if (!user || found.pad.people?.[user._id] === undefined)
      throw new MyPadsError('BACKEND.ERROR.GROUP.NOT_USER');
    return { ...found, user };
  },
};

/** What is in the caller's list of shared things. Nothing is refused: ending what is not there changes nothing. */
export const ownShared: RecordRule = { names: ['id'], errors: [], find: () => ({}) };

/** Any group. Nothing is refused, so that the answer is the same for one that does not exist. */
export const anyGroup: RecordRule<{ found: GroupRecord | undefined }> = {
  names: ['id'],
  errors: [],
  find: async (asked) => ({ found: await asked.services.model.groups.find(idIn(asked, 'id')) }),
};

/** The id of a request in answers. It says where the request is, so that no record has to. */
export const idOfRequest = (group: Pick<GroupRecord, '_id'>, request: Pick<RequestRecord, '_id'>): string =>
  `${request._id}.${group._id}`;

/** An open request for access, by the id in the path, and its group, whose people the caller may change. */
export const openRequest: RecordRule<GroupFound & { accessRequest: RequestRecord }> = {
  names: ['id'],
  openTo: groupManagers,
  errors: [notFoundKey, deniedKey],
  async find(asked) {
    const id = idIn(asked, 'id');
    const [own, ...groupId] = id.split('.');
    const found = await asked.services.model.groups.find(groupId.join('.'));
    if (found === undefined) throw recordNotFound(id);
    const check = groupCheck(asked, 'share', id);
    check(found);
    const accessRequest = openRequests(found).find(({ _id }) => _id === own);
    if (accessRequest === undefined) throw recordNotFound(id);
    return { group: found, accessRequest, check };
  },
};

/** An invitation, by the id in the path, and its group, whose people the caller may change. */
export const ownInvitation: RecordRule<GroupFound & { invitation: InvitationRecord }> = {
  names: ['id'],
  openTo: groupManagers,
  errors: [notFoundKey, deniedKey],
  async find(asked) {
    const id = idIn(asked, 'id');
    const { groups, invitations } = asked.services.model;
    const groupId = await invitations.groupOfInvitation(id);
    const found = groupId === undefined ? undefined : await groups.find(groupId);
    const invitation = found?.invitations.find(({ _id }) => _id === id);
    if (found === undefined || invitation === undefined) throw recordNotFound(id);
    const check = groupCheck(asked, 'share', id);
    check(found);
    return { group: found, invitation, check };
  },
};

/** A group that does not exist yet. */
export const newGroup: RecordRule = {
  names: [],
  errors: ['BACKEND.ERROR.AUTHENTICATION.NOT_AUTH'],
  find({ actor }) {
    if (!mayCreateGroup(actor)) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NOT_AUTH');
    return {};
  },
};

/** The group that the caller leaves. Throws GROUP.NOT_USER for anybody else, GROUP.RESIGN_UNIQUE_ADMIN. */
export const ownMembership: RecordRule<{ group: GroupRecord }> = {
  names: ['gid'],
  errors: [notFoundKey, ...leaving, 'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN'],
  async find(asked) {
    const id = idIn(asked, 'gid');
    const found = await asked.services.model.groups.find(id);
    if (found === undefined) throw recordNotFound(id);
    const isIn = asked.actor.kind === 'user' && peopleOf(found).includes(asked.actor.id);
    if (!isIn) throw new MyPadsError('BACKEND.ERROR.GROUP.NOT_USER');
    return { group: found };
  },
};

/** What somebody sees of a group. Without `content`, only its name: the group is locked for them. */
export interface SeenGroup {
  group: GroupRecord;
  content?: GroupContent;
}

/** Throws KEY_NOT_FOUND, MUST_BE, DENIED_RECORD. */
export async function seenGroup({ model }: Services, actor: Actor, id: string): Promise<SeenGroup> {
  const content = (await model.groupContents.read([id])).get(id);
  if (content === undefined) throw recordNotFound(id);
  const policy = model.policy();
  const sight = groupSight(actor, content.group, policy);
  if (sight === 'all' || sight === 'open') return { group: content.group, content };
  if (sight === 'name') return { group: content.group };
  const signInHelps = actor.kind === 'guest' && policy.allPadsPublicsAuthentifiedOnly;
  throw new MyPadsError(entryErrors[signInHelps ? 'signIn' : 'no'], { key: id });
}

/** A group that the caller sees, perhaps only its name. */
export const visibleGroup: RecordRule<SeenGroup> = {
  names: ['id'],
  openTo: 'who may see the group',
  errors: [notFoundKey, entryErrors.signIn, entryErrors.no],
  find: (asked) => seenGroup(asked.services, asked.actor, idIn(asked, 'id')),
};

/* Pads */

export interface PadInGroup {
  pad: PadRecord;
  group: GroupRecord;
}

export interface NamedPad extends PadInGroup {
  /** The id in the path. People with a read-only id learn no other. */
  id: string;
  /** Whether this is the read-only id. */
  readOnly: boolean;
}

/** `undefined` for a pad without a group too: nobody can open it. */
async function findPad({ model }: Services, id: string): Promise<PadInGroup | undefined> {
  const pad = await model.pads.find(id);
  const group = pad && (await model.groups.find(pad.group));
  return pad && group && { pad, group };
}

/** Throws KEY_NOT_FOUND, for a read-only id too. */
export async function requirePad(services: Services, id: string): Promise<PadInGroup> {
  const found = await findPad(services, id);
  if (found === undefined) throw recordNotFound(id);
  return found;
}

/** As a path names it: by its id or its read-only id. */
async function findNamedPad(services: Services, id: string): Promise<NamedPad | undefined> {
  const found = await findPad(services, id);
  if (found) return { ...found, id, readOnly: false };
  const pad = await services.padOfReadOnlyId(id);
  const named = pad === undefined ? undefined : await findPad(services, pad);
  return named && { ...named, id, readOnly: true };
}

/** Throws KEY_NOT_FOUND. */
export async function requireNamedPad(services: Services, id: string): Promise<NamedPad> {
  const named = await findNamedPad(services, id);
  if (named === undefined) throw recordNotFound(id);
  return named;
}

/**
 * How the actor may open the pad. Throws MUST_BE if signing in may open it, PASSWORD_MISSING if its password would, and
 * otherwise DENIED_RECORD.
 */
export function requireEntry(
  { model }: Services,
  actor: Actor,
  { pad, group, id, readOnly }: NamedPad,
): 'read' | 'write' {
  const entry = padEntry(actor, pad, group, model.policy());
  if (isOpen(entry)) return readOnly ? 'read' : entry;
  throw new MyPadsError(entryErrors[entry], { key: id });
}

/** Throws DENIED_RECORD_EDIT unless the actor has the ability, and may move the pad to the target if there is one. */
function padCheck({ services: { model }, actor }: Asked, ability: keyof PadAbilities): PadCheck {
  return (pad, from, target) => {
    const abilities = padAbilities(actor, pad, from, model.policy());
    if (!abilities[ability] || (target && !abilities.move))
      throw new MyPadsError(deniedKey, { key: pad._id });
    if (target && !mayReceivePad(actor, target)) throw new MyPadsError(deniedKey, { key: target._id });
  };
}

/** The pad whose id is in the path. */
export function pad(
  ability: 'edit' | 'remove' | 'removeChatHistory',
): RecordRule<PadInGroup & { check: PadCheck }> {
  return {
    names: ['id'],
    openTo: groupManagers,
    errors: [notFoundKey, deniedKey],
    async find(asked) {
      const id = idIn(asked, 'id');
      requireSameId(id, asked.fields._id, 'BACKEND.ERROR.TYPE.ID_STR', '_id');
      const found = await requirePad(asked.services, id);
      const check = padCheck(asked, ability);
      check(found.pad, found.group);
      return { ...found, check };
    },
  };
}

/** The pad whose id is in the path, with what the body changes. A `group` in the body moves the pad there. */
export const changedPad: RecordRule<PadInGroup & { check: PadCheck }> = {
  ...pad('edit'),
  names: ['id', 'group'],
  errors: [notFoundKey, deniedKey, 'BACKEND.ERROR.PAD.ITEMS_NOT_FOUND'],
};

const openErrors = [notFoundKey, ...Object.values(entryErrors)] as const;

/** A pad that the caller may open, by its id or its read-only id. */
export const openPad: RecordRule<{ named: NamedPad; mode: 'read' | 'write' }> = {
  names: ['id'],
  openTo: 'who may open the pad',
  errors: openErrors,
  async find(asked) {
    const named = await requireNamedPad(asked.services, idIn(asked, 'id'));
    return { named, mode: requireEntry(asked.services, asked.actor, named) };
  },
};

/**
 * A pad to read about, by its id or its read-only id. The handler checks the right, because the call may bring the
 * password that gives it.
 */
export const shownPad: RecordRule<{ named: NamedPad }> = {
  names: ['id'],
  openTo: 'who may open the pad, server administrator',
  errors: openErrors,
  find: async (asked) => ({ named: await requireNamedPad(asked.services, idIn(asked, 'id')) }),
};

const newPadRule = group('createPad', 'group');

/** The group of a new pad, and the template that it begins with. */
export const newPad: RecordRule<GroupFound & { template: PadRecord | undefined }> = {
  ...newPadRule,
  names: ['group', 'template'],
  async find(asked) {
    const found = await newPadRule.find(asked);
    if (asked.fields.template === undefined) return { ...found, template: undefined };
    const { model } = asked.services;
    const template = await findPad(asked.services, idIn(asked, 'template'));
    // The same error for a pad that does not exist, so that nobody can find out which do.
    if (!template || !mayUseTemplate(asked.actor, template.pad, template.group, model.policy()))
      throw new MyPadsError('BACKEND.ERROR.PAD.ITEMS_NOT_FOUND', { field: 'template' });
    return { ...found, template: template.pad };
  },
};

/** Where pads are imported: a group in which the caller may create pads, or groups that do not exist yet. */
export const importTarget: RecordRule = {
  ...newPadRule,
  names: ['group'],
  openTo: 'person; with `group`, as for a new pad in it',
  async find(asked) {
    if (asked.fields.group === undefined) newGroup.find(asked);
    else await newPadRule.find(asked);
    return {};
  },
};

/** The caller's last import, by its id. */
export const ownImport: RecordRule<{ padImport: ImportRecord }> = {
  names: ['id'],
  openTo: 'the person who imports',
  errors: [notFoundKey],
  async find(asked) {
    const id = idIn(asked, 'id');
    const { actor, services } = asked;
    const own = actor.kind === 'user' ? await services.model.padImports.find(actor.id) : undefined;
    if (own?._id !== id) throw recordNotFound(id);
    return { padImport: own };
  },
};

/** A pad that the caller may open, in a group in which they may create pads. */
export const copiedPad: RecordRule<PadInGroup & { check: GroupCheck }> = {
  names: ['id'],
  openTo: 'who may open the pad and create pads in its group',
  errors: [...openErrors, 'BACKEND.ERROR.AUTHENTICATION.DENIED', 'BACKEND.ERROR.PAD.ITEMS_NOT_FOUND'],
  async find(asked) {
    const id = idIn(asked, 'id');
    const found = await requirePad(asked.services, id);
    requireEntry(asked.services, asked.actor, { ...found, id, readOnly: false });
    const check = groupCheck(asked, 'createPad', id);
    check(found.group);
    return { ...found, check };
  },
};

/** Any pad. The answer is the same for a pad that does not exist and for one that the caller may not see. */
export const anyPad: RecordRule<{ found: PadInGroup | undefined }> = {
  names: ['id'],
  errors: [],
  find: async (asked) => ({ found: await findPad(asked.services, idIn(asked, 'id')) }),
};

/** The same, also by its read-only id. */
export const anyNamedPad: RecordRule<{ found: PadInGroup | undefined }> = {
  ...anyPad,
  find: async (asked) => ({ found: await findNamedPad(asked.services, idIn(asked, 'id')) }),
};

/* The trash */

/** A pad or a group in the trash, by the id in the path. For everybody else it does not exist. */
export const inTrash: RecordRule<{ trashed: Trashed }> = {
  names: ['id'],
  openTo: 'the group’s managers, its members for what they have deleted, server administrator',
  errors: [notFoundKey],
  async find(asked) {
    const id = idIn(asked, 'id');
    const trashed = await asked.services.model.trash.find(id);
    if (trashed === undefined || !mayUseTrash(asked.actor, trashed.by, trashed.group))
      throw recordNotFound(id);
    return { trashed };
  },
};

/** The same, to restore it; a pad perhaps into another `group`, by the rule for a move. */
export const restored: RecordRule<{ trashed: Trashed; checkPad: RestoreCheck; checkGroup: GroupCheck }> = {
  ...inTrash,
  names: ['id', 'group'],
  errors: [notFoundKey, deniedKey, 'BACKEND.ERROR.PAD.ITEMS_NOT_FOUND'],
  async find(asked) {
    const { trashed } = await inTrash.find(asked);
    const { actor } = asked;
    const requireRight = (target: GroupRecord, by: string | null): void => {
      const own = target._id === trashed.group._id;
      // Into another group it is a move, for managers of both.
      const mayMove = mayReceivePad(actor, trashed.group) && mayReceivePad(actor, target);
      if (own ? mayUseTrash(actor, by, target) : mayMove) return;
      throw new MyPadsError(deniedKey, { key: target._id });
    };
    const target = asked.fields.group;
    if (trashed.kind === 'pad' && typeof target === 'string') {
      const found = await asked.services.model.groups.find(target);
      if (!found) throw new MyPadsError('BACKEND.ERROR.PAD.ITEMS_NOT_FOUND', { field: 'group' });
      requireRight(found, trashed.by);
    }
    return {
      trashed,
      checkPad: (note, into) => requireRight(into, note.by),
      checkGroup: (current) => requireRight(current, trashed.by),
    };
  },
};

/* Many records in one call */

/** Each of the groups that the body names, on its own: `of` throws for one that the caller may not change. */
export const eachGroup = (
  ability: keyof GroupAbilities,
): RecordRule<{ of: (id: string) => Promise<GroupFound> }> => ({
  names: ['changes'],
  openTo: groupManagers,
  errors: [],
  find: (asked) => ({
    of: async (id) => group(ability).find({ ...asked, fields: { id } }),
  }),
});

/** What the caller bookmarks. model/folders/bookmark.ts asks permissions.ts for each; removing one needs no right. */
export const bookmarked = (field: 'key' | 'keys'): RecordRule => ({
  names: [field],
  errors: field === 'key' ? ['BACKEND.ERROR.USER.BOOKMARK_NOT_FOUND'] : [],
  find: () => ({}),
});
