/** Accounts that calls name, and what belongs to them. See records.ts. */
import { mayAdministrate } from '../model/access/permissions';
import { MyPadsError } from '../model/errors';
import { handleOf } from '../model/sha256';
import type {
  ApiTokenRecord,
  PasskeyRecord,
  SessionRecord,
  TotpRecord,
  UserRecord,
} from '../model/store/entities';
import { type Asked, idIn, notFoundKey, type RecordRule, requireSameId } from './records';

/** The account in the path: the caller's own, or for a server administrator any, also by e-mail address or id. */
export const account: RecordRule<{ account: UserRecord }> = {
  names: ['login'],
  errors: ['BACKEND.ERROR.USER.NOT_FOUND'],
  async find(asked) {
    const login = idIn(asked, 'login');
    const { services, actor, request } = asked;
    // Two accounts of an old database can share a login. Administrators find the second one by its id.
    const found = mayAdministrate(actor) ? await services.model.users.named(login) : request.mypads.user;
    if (!found) throw new MyPadsError('BACKEND.ERROR.USER.NOT_FOUND', { key: login });
    requireSameId(found._id, asked.fields._id, 'BACKEND.ERROR.TYPE.ID_STR', '_id');
    return { account: found };
  },
};

/** One of what the account in the path has, by its handle in the field `name`. */
async function oneOfAccount<Thing extends { _id: string }>(
  asked: Asked,
  name: string,
  listOf: (id: string) => Promise<readonly Thing[]>,
): Promise<{ account: UserRecord; one: Thing }> {
  const found = await account.find(asked);
  const handle = idIn(asked, name);
  const one = (await listOf(found.account._id)).find((thing) => handleOf(thing) === handle);
  if (!one) throw new MyPadsError(notFoundKey);
  return { ...found, one };
}

/** A session of the account in the path. */
export const sessionOfAccount: RecordRule<{ account: UserRecord; session: SessionRecord }> = {
  names: ['login', 'session'],
  errors: [...account.errors, notFoundKey],
  async find(asked) {
    const { sessions } = asked.services.model;
    const { one: session, ...found } = await oneOfAccount(asked, 'session', sessions.list.bind(sessions));
    return { ...found, session };
  },
};

/** The caller's own account, for what an administrator may not do in its place. */
export const ownAccount: RecordRule<{ account: UserRecord }> = {
  names: ['login'],
  openTo: 'the account’s owner',
  errors: ['BACKEND.ERROR.AUTHENTICATION.DENIED'],
  find(asked) {
    const { user } = asked.request.mypads;
    if (!user) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DENIED');
    return { account: user };
  },
};

/** A second factor of the caller's own account. Administrators reset all of them instead. */
export const factorOfAccount: RecordRule<{ account: UserRecord; factor: PasskeyRecord | TotpRecord }> = {
  names: ['login', 'id'],
  openTo: 'the account’s owner',
  errors: ['BACKEND.ERROR.AUTHENTICATION.DENIED', notFoundKey],
  async find(asked) {
    const found = await ownAccount.find(asked);
    const { totp, passkeys } = await asked.services.model.factors.of(found.account);
    const factor = [totp, ...passkeys].find((one) => one?._id === idIn(asked, 'id'));
    if (!factor) throw new MyPadsError(notFoundKey);
    return { ...found, factor };
  },
};

/** An API token of the account in the path. */
export const tokenOfAccount: RecordRule<{ account: UserRecord; apiToken: ApiTokenRecord }> = {
  names: ['login', 'id'],
  errors: [...account.errors, notFoundKey],
  async find(asked) {
    const { apiTokens } = asked.services.model;
    const { one: apiToken, ...found } = await oneOfAccount(asked, 'id', apiTokens.list.bind(apiTokens));
    return { ...found, apiToken };
  },
};

/** Any API token, for server administrators. */
export const anyApiToken: RecordRule<{ apiToken: ApiTokenRecord }> = {
  names: ['id'],
  errors: [notFoundKey],
  async find(asked) {
    const { apiTokens, recordIndex } = asked.services.model;
    const hash = await recordIndex.apiTokenNamed(idIn(asked, 'id'));
    const [apiToken] = hash === undefined ? [] : await apiTokens.findMany([hash]);
    if (!apiToken) throw new MyPadsError(notFoundKey);
    return { apiToken };
  },
};

/** A user list of the caller. `ulistid` in the body, which older programs send, must be the same. */
export const ownUserList: RecordRule = {
  names: ['key'],
  errors: ['BACKEND.ERROR.USER.USERLIST_NOT_FOUND', 'BACKEND.ERROR.TYPE.USERLIST_ID'],
  find(asked) {
    const id = idIn(asked, 'key');
    requireSameId(id, asked.fields.ulistid, 'BACKEND.ERROR.TYPE.USERLIST_ID', 'ulistid');
    const lists = asked.request.mypads.user?.userlists ?? {};
    if (!Object.hasOwn(lists, id))
      throw new MyPadsError('BACKEND.ERROR.USER.USERLIST_NOT_FOUND', { key: id });
    return {};
  },
};
