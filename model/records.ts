/**
 * Reading the records of accounts, groups and pads as they may stand in an old or damaged database: every field comes out in its right type,
 * unknown fields stay.
 */
import {
  type GroupRecord,
  type PadRecord,
  type SessionRecord,
  type StoredPassword,
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

/** A visibility as stored. What is none of the three closes: `restricted`. */
function readVisibility(value: unknown): Visibility {
  return visibilities.find((visibility) => visibility === value) ?? 'restricted';
}

/** A stored password in any of its shapes; anything else is none. */
function readPassword(value: unknown): StoredPassword | string | null {
  if (typeof value === 'string') return value;
  if (value !== null && typeof value === 'object' && 'hash' in value && typeof value.hash === 'string') {
    return value as StoredPassword;
  }
  return null;
}

/** A list of texts, doubles and all. */
export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];

function readPendingEmail(value: unknown): UserRecord['pendingEmail'] {
  const { address, id } = (value ?? {}) as { address?: unknown; id?: unknown };
  return typeof address === 'string' && typeof id === 'string' && id !== '' ? { address, id } : undefined;
}

/**
 * Was this account closed by somebody, as far as an earlier version tells? It did not say why an account is not open; one that has been
 * used must have been confirmed before.
 */
function wasClosed({ active, closed, unconfirmedUntil, ...record }: Partial<UserRecord>): boolean {
  if (active !== false || closed !== undefined || unconfirmedUntil !== undefined) return false;
  const traces = [
    ...texts(record.bookmarks?.groups),
    ...texts(record.bookmarks?.pads),
    ...Object.keys(typeof record.userlists === 'object' ? (record.userlists ?? {}) : {}),
    ...texts(record.authors),
  ];
  return text(record.eplAuthorToken) !== '' || traces.length > 0;
}

/**
 * An account's record as it may stand in an old or damaged database, with what it lacks; unknown fields stay. `undefined` for what is
 * no account at all.
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
    active: record.active !== false,
    useLoginAndColorInPads: record.useLoginAndColorInPads !== false,
    hideHelp: record.hideHelp === true,
    lang: text(record.lang),
    ctime: typeof record.ctime === 'number' ? record.ctime : 0,
    ...(record.authors === undefined ? {} : { authors: texts(record.authors) }),
    ...(wasClosed(record) ? { closed: true } : {}),
    ...(record.pendingEmail === undefined ? {} : { pendingEmail: readPendingEmail(record.pendingEmail) }),
  };
}

/** A new account, with the defaults of server.md 3.3. */
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
    lang: '',
  };
}

/**
 * A group record as it may stand in an old or damaged database, with every field in its right type: missing ones get the
 * default, an unknown visibility closes, doubled ids count once, who is in both lists is an admin. Unknown fields stay.
 */
export function readGroup(id: string, stored: unknown): GroupRecord | undefined {
  if (stored === null || typeof stored !== 'object' || Array.isArray(stored)) return undefined;
  const record = stored as { [field in keyof GroupRecord]?: unknown };
  const admins = strings(record.admins);
  return {
    ...record,
    _id: id,
    name: text(record.name),
    description: text(record.description),
    visibility: readVisibility(record.visibility),
    password: readPassword(record.password),
    readonly: record.readonly === true,
    archived: record.archived === true,
    allowUsersToCreatePads: record.allowUsersToCreatePads === true,
    tags: strings(record.tags),
    admins,
    users: strings(record.users).filter((user) => !admins.includes(user)),
    pads: strings(record.pads),
    ctime: typeof record.ctime === 'number' ? record.ctime : 0,
  };
}

/** Everybody in the group, admins first. */
export function peopleOf(group: Pick<GroupRecord, 'admins' | 'users'>): string[] {
  return [...group.admins, ...group.users];
}

/**
 * A pad record as it may stand in an old or damaged database, with every field in its right type. Unknown fields stay, but not
 * `moveGroup`, which an old move left behind.
 */
export function readPad(id: string, stored: unknown): PadRecord | undefined {
  if (stored === null || typeof stored !== 'object' || Array.isArray(stored)) return undefined;
  const record = stored as { [field in keyof PadRecord | 'moveGroup']?: unknown };
  const inherits = record.visibility === null || record.visibility === undefined || record.visibility === '';
  const { lastUpdate } = record;
  const pad: PadRecord & { moveGroup?: unknown } = {
    ...record,
    _id: id,
    name: typeof record.name === 'string' ? record.name : '',
    group: typeof record.group === 'string' ? record.group : '',
    visibility: inherits ? null : readVisibility(record.visibility),
    password: readPassword(record.password),
    readonly: typeof record.readonly === 'boolean' ? record.readonly : null,
    users: Array.isArray(record.users) ? record.users.filter((user) => typeof user === 'string') : [],
    ctime: typeof record.ctime === 'number' ? record.ctime : 0,
    lastUpdate: typeof lastUpdate === 'number' ? lastUpdate : undefined,
  };
  if (pad.lastUpdate === undefined) delete pad.lastUpdate;
  if ('moveGroup' in pad) delete pad.moveGroup;
  return pad;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A session as it may stand in a damaged database; `undefined` for what cannot tell whose it is and how long it lasts. */
export function readSession(id: string, stored: unknown): SessionRecord | undefined {
  if (!isRecord(stored)) return undefined;
  const { kind, owner, created, lastSeen, unlocked } = stored as { [Field in keyof SessionRecord]?: unknown };
  if (kind !== 'user' && kind !== 'admin' && kind !== 'guest') return undefined;
  if (typeof owner !== 'string' || typeof created !== 'number' || typeof lastSeen !== 'number')
    return undefined;
  const proofs = isRecord(unlocked) ? unlocked : {};
  return { ...(stored as unknown as SessionRecord), _id: id, unlocked: proofs as SessionRecord['unlocked'] };
}
