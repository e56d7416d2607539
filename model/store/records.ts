/**
 * Reads records of accounts, groups and pads from an old or damaged database: every known field gets its right type,
 * unknown fields stay.
 */
import type { ExternalIdentity } from '../externalIdentity';
import { isObject } from '../fields';
import {
  type Absence,
  type ApiTokenRecord,
  type FactorsRecord,
  type GrantRole,
  type GroupRecord,
  grantRoles,
  type InvitationRecord,
  invitationMails,
  type KeptLink,
  type LinkRecord,
  type MemberList,
  type MembersByRole,
  memberLists,
  type PadRecord,
  type RequestRecord,
  type RuleGrant,
  type SessionRecord,
  type StoredPassword,
  scopes,
  type UserRecord,
  type Visibility,
  visibilities,
} from './entities';

function strings(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return [...new Set(value.filter((item): item is string => typeof item === 'string' && item !== ''))];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A name that can be seen. 1.x accepted one of blanks only, which nobody can click in a list. */
const nameOr = (id: string, value: unknown): string => (text(value).trim() === '' ? id : text(value));

/** Reads a visibility. An invalid value becomes the strictest one, `restricted`. */
function readVisibility(value: unknown): Visibility {
  return visibilities.find((visibility) => visibility === value) ?? 'restricted';
}

/** Reads a stored password of any version; `null` for anything else. */
function readPassword(value: unknown): StoredPassword | string | null {
  if (typeof value === 'string') return value;
  if (value !== null && typeof value === 'object' && 'hash' in value && typeof value.hash === 'string') {
    return value as StoredPassword;
  }
  return null;
}

/** The texts of a list; duplicates stay. */
export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];

function readPendingEmail(value: unknown): UserRecord['pendingEmail'] {
  const { address, id } = (value ?? {}) as { address?: unknown; id?: unknown };
  return typeof address === 'string' && typeof id === 'string' && id !== '' ? { address, id } : undefined;
}

/** An administrator of 1.x could write any value, which counted as JavaScript counts it. */
const isActive = (active: unknown): boolean => active === undefined || Boolean(active);

/**
 * Guesses whether an account of an earlier version was closed, which did not store the reason. An inactive account that
 * has been used, or is in a folder, was confirmed before, so somebody closed it.
 */
function wasClosed({ active, closed, unconfirmedUntil, ...record }: Partial<UserRecord>): boolean {
  if (isActive(active) || closed !== undefined || unconfirmedUntil !== undefined) return false;
  const traces = [
    ...texts(record.groups),
    ...texts(record.bookmarks?.groups),
    ...texts(record.bookmarks?.pads),
    ...Object.keys(typeof record.userlists === 'object' ? (record.userlists ?? {}) : {}),
    ...texts(record.authors),
  ];
  return text(record.eplAuthorToken) !== '' || traces.length > 0;
}

const isKeptLink = (stored: unknown): stored is KeptLink =>
  isObject(stored) &&
  typeof stored._id === 'string' &&
  typeof stored.proof === 'string' &&
  typeof (stored.group ?? stored.pad) === 'string';

const isIdentity = (stored: unknown): stored is ExternalIdentity =>
  isObject(stored) &&
  [stored.method, stored.issuer, stored.subject].every((part) => typeof part === 'string');

const readAbsence = (stored: unknown): Absence | undefined =>
  isObject(stored) && typeof stored.since === 'number'
    ? { since: stored.since, ...(stored.closed === true && { closed: true }) }
    : undefined;

const readBySync = (stored: unknown): UserRecord['bySync'] =>
  isObject(stored) ? { ...(stored.closed === true && { closed: true }) } : undefined;

/**
 * Reads an account record with defaults for missing fields. Returns `undefined` for anything that is not an account.
 */
export function readUser(id: string, stored: unknown): UserRecord | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const record = stored as Partial<UserRecord>;
  if (typeof record.login !== 'string' || record.login === '' || record._id !== id) return undefined;
  return {
    ...record,
    _id: id,
    login: record.login,
    email: text(record.email),
    password: record.password ?? null,
    firstname: text(record.firstname),
    lastname: text(record.lastname),
    organization: text(record.organization),
    color: text(record.color),
    padNickname: text(record.padNickname),
    eplAuthorToken: text(record.eplAuthorToken),
    groups: texts(record.groups),
    bookmarks: { groups: texts(record.bookmarks?.groups), pads: texts(record.bookmarks?.pads) },
    userlists: typeof record.userlists === 'object' && record.userlists !== null ? record.userlists : {},
    active: isActive(record.active),
    useLoginAndColorInPads: record.useLoginAndColorInPads !== false,
    hideHelp: record.hideHelp === true,
    lang: text(record.lang),
    ctime: typeof record.ctime === 'number' ? record.ctime : 0,
    ...(record.readerOf === undefined ? {} : { readerOf: texts(record.readerOf) }),
    ...(record.sharedPads === undefined ? {} : { sharedPads: texts(record.sharedPads) }),
    ...(Array.isArray(record.keptLinks) ? { keptLinks: record.keptLinks.filter(isKeptLink) } : {}),
    ...(Array.isArray(record.identities) ? { identities: record.identities.filter(isIdentity) } : {}),
    ...(record.authors === undefined ? {} : { authors: texts(record.authors) }),
    ...(record.absent === undefined ? {} : { absent: readAbsence(record.absent) }),
    ...(record.bySync === undefined ? {} : { bySync: readBySync(record.bySync) }),
    ...(wasClosed(record) ? { closed: true } : {}),
    ...(record.pendingEmail === undefined ? {} : { pendingEmail: readPendingEmail(record.pendingEmail) }),
  };
}

/** The second factors of an account. Without a record, there are none. */
export function readFactors(stored: unknown): FactorsRecord {
  const record = isObject(stored) ? (stored as Partial<FactorsRecord>) : {};
  return {
    ...(isObject(record.totp) ? { totp: record.totp } : {}),
    passkeys: Array.isArray(record.passkeys) ? record.passkeys.filter(isObject) : [],
    recovery: texts(record.recovery),
    version: text(record.version),
  } as FactorsRecord;
}

export const hasFactor = ({ totp, passkeys }: FactorsRecord): boolean =>
  totp !== undefined || passkeys.length > 0;

/** A new account with the default values. */
export function newUser(
  own: Pick<UserRecord, '_id' | 'login' | 'email' | 'password' | 'active' | 'ctime'>,
): UserRecord {
  return {
    ...own,
    firstname: '',
    lastname: '',
    organization: '',
    color: '',
    padNickname: '',
    eplAuthorToken: '',
    groups: [],
    bookmarks: { groups: [], pads: [] },
    userlists: {},
    useLoginAndColorInPads: true,
    hideHelp: false,
    singleKeys: true,
    mailWhenAdded: true,
    lang: '',
  };
}

const isGrantRole = (value: unknown): value is GrantRole => grantRoles.some((known) => known === value);

/** A link as it is stored, because a group may have many and every access check reads them; `undefined`: damaged. */
function readLink(stored: Partial<LinkRecord> | null): LinkRecord | undefined {
  const { _id, role, ends = null, pad, password, label, seed, asksName } = stored ?? {};
  if (typeof _id !== 'string' || !isGrantRole(role)) return undefined;
  if (ends !== null && typeof ends !== 'number') return undefined;
  // A link whose password cannot be read opens nothing, rather than everything without one.
  if (password !== null && (typeof password !== 'object' || typeof password?.hash !== 'string'))
    return undefined;
  if (pad !== undefined && typeof pad !== 'string') return undefined;
  const isWhole = typeof label === 'string' && typeof seed === 'string' && typeof asksName === 'boolean';
  if (isWhole && stored?.ends !== undefined) return stored as LinkRecord;
  const texts = { label: text(label), seed: text(seed) };
  return { ...(stored as LinkRecord), ends, ...texts, asksName: asksName === true };
}

const readLinks = (stored: unknown): LinkRecord[] =>
  Array.isArray(stored) ? stored.flatMap((one: Partial<LinkRecord> | null) => readLink(one) ?? []) : [];

/** Without requests that have no object any more: the person may write by now, or the pad is gone. */
function readRequests(
  stored: unknown,
  { admins, users, pads }: Pick<GroupRecord, 'admins' | 'users' | 'pads'>,
): RequestRecord[] {
  // A set of all people of a large folder takes some milliseconds.
  if (!Array.isArray(stored) || stored.length === 0) return [];
  const inside = new Set([...admins, ...users]);
  return stored.flatMap((one: Partial<RequestRecord> | null): RequestRecord[] => {
    const { _id, user, pad, created, declined } = one ?? {};
    if (typeof _id !== 'string' || typeof user !== 'string' || typeof created !== 'number') return [];
    if (inside.has(user) || (pad !== undefined && !pads.includes(pad))) return [];
    if (declined !== undefined && typeof declined !== 'number') return [];
    return [{ ...(one as RequestRecord), text: text(one?.text) }];
  });
}

function readInvitations(stored: unknown, pads: readonly string[]): InvitationRecord[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((one: Partial<InvitationRecord> | null): InvitationRecord[] => {
    const { _id, address, seed, role, created, expires, mail, mailed, by, pad } = one ?? {};
    const list = memberLists.find((known) => known === role);
    if (typeof _id !== 'string' || typeof address !== 'string' || typeof seed !== 'string') return [];
    if (list === undefined || typeof expires !== 'number') return [];
    if (pad !== undefined && !pads.includes(pad)) return [];
    return [
      {
        ...(one as InvitationRecord),
        role: list,
        by: typeof by === 'string' ? by : null,
        sentence: text(one?.sentence),
        lang: text(one?.lang),
        created: typeof created === 'number' ? created : 0,
        mail: invitationMails.find((known) => known === mail) ?? 'failed',
        mailed: typeof mailed === 'number' ? mailed : null,
        reminded: one?.reminded === true,
      },
    ];
  });
}

const isMemberList = (value: unknown): value is MemberList => memberLists.some((known) => known === value);

function readGrant(stored: unknown): RuleGrant | undefined {
  if (!isObject(stored) || !isObject(stored.rules)) return undefined;
  const given = Object.entries(stored.rules).filter((rule): rule is [string, MemberList] =>
    isMemberList(rule[1]),
  );
  const own = isMemberList(stored.own) ? { own: stored.own } : {};
  return given.length === 0 ? undefined : { rules: Object.fromEntries(given), ...own };
}

type StoredGrant = RuleGrant & { people: string[] };

/** As `storedByRule` writes it, or by person, as the first versions did: each with who has it. */
function grantsIn(stored: unknown): { grant: unknown; people: readonly string[] }[] {
  if (Array.isArray(stored)) return stored.map((grant) => ({ grant, people: texts(grant?.people) }));
  if (!isObject(stored)) return [];
  return Object.entries(stored).map(([person, grant]) => ({ grant, people: [person] }));
}

/** Without people who are on no list: another program has removed them. */
function readByRule(stored: unknown, lists: MembersByRole): GroupRecord['byRule'] {
  const listed = new Set(peopleOf(lists));
  const grants = new Map<string, RuleGrant>();
  for (const { grant, people } of grantsIn(stored)) {
    const read = readGrant(grant);
    if (read) for (const person of people) if (listed.has(person)) grants.set(person, read);
  }
  return grants.size === 0 ? undefined : grants;
}

/**
 * What rules give, as it is stored. People to whom rules give the same are one list: an object for each of 50,000
 * people takes ueberDB a tenth of a second to copy, several times for each write.
 */
export function storedByRule({ byRule }: Pick<GroupRecord, 'byRule'>): { byRule?: StoredGrant[] } {
  const lists = new Map<string, StoredGrant>();
  // Grants that were read together are the same object.
  const peopleOfGrant = new Map<RuleGrant, string[]>();
  for (const [person, grant] of byRule ?? []) {
    let people = peopleOfGrant.get(grant);
    if (people === undefined) {
      const { rules, own } = grant;
      const key = JSON.stringify([own, rules]);
      const list = lists.get(key) ?? { rules, ...(own && { own }), people: [] };
      lists.set(key, list);
      people = list.people;
      peopleOfGrant.set(grant, people);
    }
    people.push(person);
  }
  return lists.size > 0 ? { byRule: [...lists.values()] } : {};
}

/** A group as it is stored. */
export function storedGroup(group: GroupRecord): object {
  const { byRule: _, ...others } = group;
  return { ...others, ...storedByRule(group) };
}

/**
 * Reads a group record: missing fields get defaults, an invalid visibility becomes `restricted`, duplicate ids are
 * removed, a person on several lists has the role with most rights. Unknown fields stay.
 */
export function readGroup(id: string, stored: unknown): GroupRecord | undefined {
  if (!isObject(stored)) return undefined;
  const { requestsMailed, byRule, ...record } = stored as { [field in keyof GroupRecord]?: unknown };
  const members = { admins: strings(record.admins), users: strings(record.users) };
  const lists = eachOnOneList({ ...members, readers: strings(record.readers) });
  const grants = byRule === undefined ? undefined : readByRule(byRule, lists);
  const pads = strings(record.pads);
  return {
    ...record,
    _id: id,
    name: nameOr(id, record.name),
    description: text(record.description),
    visibility: readVisibility(record.visibility),
    password: readPassword(record.password),
    readonly: record.readonly === true,
    archived: record.archived === true,
    allowUsersToCreatePads: record.allowUsersToCreatePads === true,
    tags: strings(record.tags),
    ...lists,
    ...(grants && { byRule: grants }),
    pads,
    links: readLinks(record.links),
    requests: readRequests(record.requests, { ...members, pads }),
    ...(typeof requestsMailed === 'number' && { requestsMailed }),
    invitations: readInvitations(record.invitations, pads),
    ctime: typeof record.ctime === 'number' ? record.ctime : 0,
  };
}

/** The same lists, with each person only in the role with most rights. */
export function eachOnOneList({ admins, users, readers }: MembersByRole): MembersByRole {
  const before = new Set(admins);
  const others = users.filter((user) => !before.has(user));
  for (const user of others) before.add(user);
  return { admins, users: others, readers: readers.filter((reader) => !before.has(reader)) };
}

/** All people of a group, admins first. */
export function peopleOf(group: MembersByRole): string[] {
  return memberLists.flatMap((list) => group[list]);
}

/** The list of a group that has the person. */
export const listWith = (person: string, group: MembersByRole): MemberList | undefined =>
  memberLists.find((list) => group[list].includes(person));

/** The links of a group, without links to pads that are in the group no more. */
export const currentLinks = ({ links, pads }: GroupRecord): LinkRecord[] =>
  links.filter(({ pad }) => pad === undefined || pads.includes(pad));

/** What a group has about single pads. */
export type AboutPads = Pick<GroupRecord, 'links' | 'invitations' | 'requests'>;

/** Splits what a group has about single pads: `left` moves or ends with these pads, `kept` stays. */
export function splitByPads(group: GroupRecord, leaves: (pad: string) => boolean) {
  const isLeft = ({ pad }: { pad?: string }): boolean => pad !== undefined && leaves(pad);
  const split = (of: (one: { pad?: string }) => boolean): AboutPads => ({
    links: group.links.filter(of),
    invitations: group.invitations.filter(of),
    requests: group.requests.filter(of),
  });
  return { left: split(isLeft), kept: split((one) => !isLeft(one)) };
}

/** The indexes in an account's record, and whom of a group each of them lists it for. */
export const groupIndexes = {
  groups: ({ admins, users }: MembersByRole): string[] => [...admins, ...users],
  readerOf: ({ readers }: MembersByRole): string[] => readers,
};
export type GroupIndex = keyof typeof groupIndexes;

/** All groups that an account belongs to, as its record lists them. */
export const groupsOf = ({ groups, readerOf = [] }: Pick<UserRecord, GroupIndex>): string[] => [
  ...groups,
  ...readerOf,
];

const readPadPeople = (stored: object): PadRecord['people'] =>
  Object.fromEntries(
    Object.entries(stored).filter((entry): entry is [string, GrantRole] => isGrantRole(entry[1])),
  );

/** Reads a pad record. Unknown fields stay, except `moveGroup`, a leftover of moves in ep_mypads 1.x. */
export function readPad(id: string, stored: unknown): PadRecord | undefined {
  if (!isObject(stored)) return undefined;
  // A field set aside here is left out. `delete` would make each use of the object slower.
  const {
    moveGroup: _,
    lastUpdate,
    lastEditor,
    people,
    template,
    ...record
  } = stored as {
    [field in keyof PadRecord | 'moveGroup']?: unknown;
  };
  const inherits = record.visibility === null || record.visibility === undefined || record.visibility === '';
  return {
    ...record,
    _id: id,
    name: nameOr(id, record.name),
    group: text(record.group),
    visibility: inherits ? null : readVisibility(record.visibility),
    password: readPassword(record.password),
    readonly: typeof record.readonly === 'boolean' ? record.readonly : null,
    users: texts(record.users),
    ctime: typeof record.ctime === 'number' ? record.ctime : 0,
    ...(template === true && { template }),
    ...(typeof lastUpdate === 'number' && { lastUpdate }),
    ...(isObject(people) && { people: readPadPeople(people) }),
    ...((typeof lastEditor === 'string' || lastEditor === null) && { lastEditor }),
  };
}

/** Reads the record of an API token; `undefined` if it is damaged. */
export function readApiToken(id: string, stored: unknown): ApiTokenRecord | undefined {
  if (!isObject(stored)) return undefined;
  const { kind, owner, created, ends, lastUsed } = stored as { [Field in keyof ApiTokenRecord]?: unknown };
  if ((kind !== 'user' && kind !== 'admin') || typeof owner !== 'string') return undefined;
  if (typeof created !== 'number' || typeof ends !== 'number') return undefined;
  const allowed = texts(stored.scopes);
  return {
    ...(stored as unknown as ApiTokenRecord),
    _id: id,
    name: text(stored.name),
    lastFour: text(stored.lastFour),
    scopes: scopes.filter((scope) => allowed.includes(scope)),
    // A list that cannot be read allows no address, rather than all.
    addresses: Array.isArray(stored.addresses) ? texts(stored.addresses) : [''],
    lastUsed: typeof lastUsed === 'number' ? lastUsed : null,
  };
}

/** Reads a session record; `undefined` when owner or times are missing. */
export function readSession(id: string, stored: unknown): SessionRecord | undefined {
  if (!isObject(stored)) return undefined;
  const { kind, owner, created, lastSeen, unlocked } = stored as { [Field in keyof SessionRecord]?: unknown };
  if (kind !== 'user' && kind !== 'admin' && kind !== 'guest') return undefined;
  if (typeof owner !== 'string' || typeof created !== 'number' || typeof lastSeen !== 'number')
    return undefined;
  const proofs = isObject(unlocked) ? unlocked : {};
  return { ...(stored as unknown as SessionRecord), _id: id, unlocked: proofs as SessionRecord['unlocked'] };
}
