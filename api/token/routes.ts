/** API tokens: making them, listing them, ending them. All calls need a session: no API token reaches them. */
import type { Request } from 'express';
import { scopesOf } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import { limits } from '../../model/limits';
import { handleOf } from '../../model/sha256';
import type { ApiTokenRecord, Scope, UserRecord } from '../../model/store/entities';
import type { Handlers } from '../calls';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';
import type { ApiToken, OwnedApiToken } from './schema';

function present(record: ApiTokenRecord): ApiToken {
  const { name, scopes, lastFour, addresses, created, ends, lastUsed } = record;
  return { _id: handleOf(record), name, scopes, lastFour, addresses, created, ends, lastUsed };
}

function presentOwned(
  record: ApiTokenRecord,
  people: ReadonlyMap<string, Pick<UserRecord, 'login'>>,
): OwnedApiToken {
  const owner =
    record.kind === 'admin'
      ? { kind: 'administrator' as const, login: record.owner, id: null }
      : { kind: 'person' as const, login: people.get(record.owner)?.login ?? null, id: record.owner };
  return { ...present(record), owner };
}

/** Throws API_TOKEN.SCOPE if one of these scopes is not for this caller. */
function requireScopes(actor: Parameters<typeof scopesOf>[0], asked: readonly Scope[]): void {
  const scope = asked.find((one) => !scopesOf(actor).includes(one));
  if (scope !== undefined) throw new MyPadsError('BACKEND.ERROR.API_TOKEN.SCOPE', { scope });
}

export const tokenHandlers = ({ model }: Services) => {
  const { apiTokens, events, log, recordIndex, users } = model;

  /** What both calls that make a token have in common. */
  function made({ record, token }: { record: ApiTokenRecord; token: string }, request: Request) {
    const _id = handleOf(record);
    const account = record.kind === 'user' ? { account: record.owner } : {};
    log.info('API token made', { token: _id, ...callerFacts(request) });
    events.emit({ about: 'apiToken', what: 'created', id: _id, ...account });
    return { success: true as const, key: _id, value: present(record), token };
  }

  async function end(record: ApiTokenRecord, request: Request) {
    const key = handleOf(record);
    const account = record.kind === 'user' ? { account: record.owner } : {};
    await apiTokens.end(record);
    log.info('API token ended', { token: key, ...callerFacts(request) });
    events.emit({ about: 'apiToken', what: 'ended', id: key, ...account });
    return { success: true as const, key };
  }

  return {
    async 'GET /user/{login}/tokens'({ params: { login }, account }) {
      return { key: login, value: (await apiTokens.list(account._id)).map(present) };
    },

    async 'POST /user/{login}/tokens'({ body, account, caller }, request) {
      requireScopes(caller.actor, body.scopes);
      return made(await apiTokens.create(account, body), request);
    },

    'DELETE /user/{login}/tokens/{id}': ({ apiToken }, request) => end(apiToken, request),

    async 'GET /admin/tokens'({ query: { offset = 0, limit = limits.page } }) {
      const { ids, count } = await recordIndex.apiTokens(offset, limit);
      const records = await apiTokens.findMany(ids);
      const people = await users.findMany([
        ...new Set(records.filter(({ kind }) => kind === 'user').map(({ owner }) => owner)),
      ]);
      return { tokens: records.map((record) => presentOwned(record, people)), count };
    },

    async 'POST /admin/tokens'({ body, caller }, request) {
      requireScopes(caller.actor, body.scopes);
      const administrator = caller.session?.owner ?? '';
      return made(await apiTokens.create({ administrator }, body), request);
    },

    'DELETE /admin/tokens/{id}': ({ apiToken }, request) => end(apiToken, request),
  } satisfies Partial<Handlers>;
};
