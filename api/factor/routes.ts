/** Second factors of an account. Adding and removing one needs the password, and is reported by mail. */
import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { MyPadsError } from '../../model/errors';
import { lifetimes } from '../../model/limits';
import type { PasskeyRecord, TotpRecord, UserRecord } from '../../model/store/entities';
import { addressOf } from '../../web/rateLimit';
import type { Handlers } from '../calls';
import { callerFacts, placeOf } from '../middleware/caller';
import type { Services } from '../services';
import { requireOwnPassword } from '../user/ownPassword';
import type { Factor } from './schema';

const present = (record: PasskeyRecord | TotpRecord): Factor => ({
  _id: record._id,
  kind: 'seed' in record ? 'totp' : 'passkey',
  name: 'seed' in record ? '' : record.name,
  created: record.created,
  lastUsed: record.lastUsed,
});

/** Throws PERMISSION.TOO_MANY, because each change sends a mail, and as `requireOwnPassword`. */
async function requireChange(
  services: Services,
  request: Request,
  account: UserRecord,
  currentPassword: string,
): Promise<void> {
  await requireOwnPassword(services, request, account, currentPassword, { field: 'currentPassword' });
  await services.limits.consume('factorChange', account._id);
}

/** Throws FACTOR.UNAVAILABLE, and as `requireChange`. */
async function requireProof(
  services: Services,
  request: Request,
  account: UserRecord,
  currentPassword: string,
): Promise<void> {
  if (!services.model.secondStep.isPossible(account))
    throw new MyPadsError('BACKEND.ERROR.FACTOR.UNAVAILABLE');
  await requireChange(services, request, account, currentPassword);
}

/**
 * Ends the sessions that have not proved the new factor. Done before it is added too: if this fails, nothing has
 * changed, and another try does both.
 */
const endOthers = ({ model }: Services, request: Request, { _id }: UserRecord): Promise<void> =>
  model.sessions.endAll(_id, request.mypads.session?._id);

/** After each change: other sessions end that began meanwhile, log and mail. */
async function announce(
  services: Services,
  request: Request,
  {
    account,
    kind,
    about,
  }: { account: UserRecord; kind: Factor['kind'] | 'recovery'; about: 'added' | 'removed' },
): Promise<void> {
  const { model } = services;
  const facts = { user: account._id, kind, ...callerFacts(request) };
  if (about === 'added') {
    await endOthers(services, request, account);
    model.log.info('second factor added', facts);
  } else model.log.info('second factor removed', facts);
  await model.accountMail.announceFactor(account, `factor${about}`, placeOf(request));
}

const addingHandlers = (services: Services) => {
  const { model, limits } = services;
  const { factors, passkeys, coordination, configuration } = model;
  const seedName = (account: UserRecord, pending: string) => `totp:${account._id}:${pending}`;
  const keepSeed = (name: string, seed: string, request: Request) =>
    coordination.keep(name, seed, { milliseconds: lifetimes.secondStep, requester: addressOf(request) });

  return {
    async 'POST /user/{login}/factors/totp/options'({ body, account }, request) {
      await requireProof(services, request, account, body.currentPassword);
      const names = { site: configuration.get('title'), login: account.login };
      const { seed, ...app } = factors.newTotp(names);
      const pending = randomBytes(32).toString('base64url');
      await keepSeed(seedName(account, pending), seed, request);
      return { success: true, pending, ...app };
    },

    async 'POST /user/{login}/factors/totp'({ params: { login: key }, body, account }, request) {
      const name = seedName(account, body.pending);
      const seed = await coordination.take(name);
      if (typeof seed !== 'string') throw new MyPadsError('BACKEND.ERROR.FACTOR.EXPIRED');
      const costs = [['factor', account._id]] as const;
      const first = () => endOthers(services, request, account);
      const add = () =>
        limits.attempt(costs, () => factors.addTotp(account, { seed, code: body.code, first }));
      const { factor, ...codes } = await add().catch(async (error: unknown) => {
        await keepSeed(name, seed, request);
        throw error;
      });
      await announce(services, request, { account, kind: 'totp', about: 'added' });
      return { success: true, key, value: present(factor), ...codes };
    },

    async 'POST /user/{login}/factors/passkey/options'({ body, account }, request) {
      await requireProof(services, request, account, body.currentPassword);
      const names = { site: configuration.get('title'), requester: addressOf(request) };
      return { success: true, value: await passkeys.optionsForNew(account, names) };
    },

    async 'POST /user/{login}/factors/passkey'({ params: { login: key }, body, account }, request) {
      const verified = await passkeys.verifyNew(account, body.passkey);
      await endOthers(services, request, account);
      const { factor, ...codes } = await factors.addPasskey(account, { ...verified, name: body.name });
      await announce(services, request, { account, kind: 'passkey', about: 'added' });
      return { success: true, key, value: present(factor), ...codes };
    },

    async 'POST /user/{login}/factors/recovery'({ body, account }, request) {
      await requireProof(services, request, account, body.currentPassword);
      const recoveryCodes = await factors.newRecoveryCodes(account);
      await announce(services, request, { account, kind: 'recovery', about: 'added' });
      return { success: true, recoveryCodes };
    },
  } satisfies Partial<Handlers>;
};

export const factorHandlers = (services: Services) => {
  const { model } = services;
  const { factors, passkeys, secondStep, events, log } = model;

  return {
    ...addingHandlers(services),

    async 'GET /user/{login}/factors'({ params: { login: key }, account }) {
      const record = await factors.of(account);
      const value = {
        factors: [...(record.totp ? [record.totp] : []), ...record.passkeys].map(present),
        recoveryCodes: record.recovery.length,
        possible: secondStep.isPossible(account),
        required: await secondStep.isRequired(account),
        passkeys: passkeys.arePossible(),
      };
      return { key, value };
    },

    async 'DELETE /user/{login}/factors/{id}'({ params: { id: key }, body, account, factor }, request) {
      await requireChange(services, request, account, body.currentPassword);
      await factors.remove(account, factor._id, !(await secondStep.isRequired(account)));
      await announce(services, request, { account, kind: present(factor).kind, about: 'removed' });
      return { success: true, key };
    },

    async 'DELETE /admin/users/{login}/factors'({ params: { login: key }, account }, request) {
      if (await factors.removeAll(account)) {
        log.info('second factors reset', { user: account._id, ...callerFacts(request) });
        events.emit({ about: 'user', what: 'factorsReset', id: account._id, access: false });
        await model.accountMail.announceFactor(account, 'factorremoved');
      }
      return { success: true, key };
    },
  } satisfies Partial<Handlers>;
};
