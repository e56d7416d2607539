/** Accounts: registration, one's own profile, and the same of others for server administrators. */
import { isDeepStrictEqual } from 'node:util';
import { type Request, Router } from 'express';
import type { UserRecord } from '../../model/entities';
import { MyPadsError } from '../../model/errors';
import type { OwnAccount } from '../../model/ownAccount';
import { mayChangeAccount } from '../../model/permissions';
import type { Registered, Registration } from '../../model/registration';
import { keyAnswer } from '../answers';
import { demand } from '../middleware/authorise';
import { addressOf, asOneName } from '../middleware/rateLimit';
import { rootUrlOf } from '../middleware/rootUrl';
import { callerFacts } from '../middleware/session';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import type { KeyAnswer, RegisterAnswer, UserAnswer } from '../wire';
import { ownUser } from './presenter';
import { byLogin, profileChange, registerAnswer, registration, removal, userAnswer } from './schema';

type OwnRegistration = Parameters<Registration['register']>[0];
type OwnChange = Parameters<OwnAccount['change']>[1];

function requireSamePassword(password: string | undefined, confirmation: string | undefined): void {
  if (confirmation !== undefined && confirmation !== (password ?? '')) {
    throw new MyPadsError('USER.ERR.PASSWORD_MISMATCH', { field: 'passwordConfirm' });
  }
}

export function userRoutes(services: Services): Router {
  const { model, limits } = services;
  const { users, configuration } = model;
  const router = Router();

  /** The account that a path means: one's own, or any (also by e-mail address) for a server administrator. */
  async function requireAccount(request: Request, login: string): Promise<UserRecord> {
    const { actor, user } = request.mypads;
    const own = login === user?.login ? user : undefined;
    demand(mayChangeAccount(actor, own?._id), 'BACKEND.ERROR.AUTHENTICATION.DENIED');
    const found = own ?? (await users.find(login));
    if (!found) throw new MyPadsError('BACKEND.ERROR.USER.NOT_FOUND', { key: login });
    return found;
  }

  async function requireCurrentPassword(
    request: Request,
    user: UserRecord,
    password: string | undefined,
  ): Promise<void> {
    // Whoever comes from a single sign-on server has none that we could check.
    if (configuration.get('authMethod') === 'cas') return;
    await limits.attempt([['ownPassword', user._id]], async () => {
      if (password && (await model.signIn.checkPassword(user, password))) return;
      model.log.warn('own password refused', callerFacts(request));
      throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT', { field: 'currentPassword' });
    });
  }

  async function registerOneself(fields: OwnRegistration, request: Request): Promise<Registered> {
    await limits.spend('registration', addressOf(request));
    if (configuration.get('checkMails')) await limits.spend('registrationMail', asOneName(fields.email));
    return model.registration.register(fields, rootUrlOf(request, configuration));
  }

  async function changeOneself(
    request: Request,
    user: UserRecord,
    sent: OwnChange,
    currentPassword: string | undefined,
  ): Promise<UserRecord> {
    const { email, password } = sent;
    // Programs of 1.x had to send the password they have with every profile: it proves who it is, and changes nothing.
    const repeated = currentPassword === undefined && password !== undefined;
    const changes = repeated ? { ...sent, password: undefined } : sent;
    if (password !== undefined || (email !== undefined && email !== user.email)) {
      await requireCurrentPassword(request, user, currentPassword ?? password ?? undefined);
    }
    // Each ends the links that were mailed to choose another: who has stolen a password could keep its owner from recovering it.
    if (typeof changes.password === 'string') await limits.spend('passwordChange', user._id);
    if (email !== undefined && model.ownAccount.needsConfirmation(user, email)) {
      await limits.spend('emailChange', user._id);
      await limits.spend('registrationMail', asOneName(email));
    }
    const keepSession = request.mypads.session?._id;
    const rootUrl = rootUrlOf(request, configuration);
    return model.ownAccount.change(user, changes, { keepSession, rootUrl });
  }

  router.post(
    '/',
    route(registration, registerAnswer, async ({ body }, request): Promise<RegisterAnswer> => {
      const byAdmin = request.mypads.session?.kind === 'admin';
      if (!byAdmin) model.registration.mustBeOpen();
      const { passwordConfirm, ...fields } = body;
      requireSamePassword(fields.password, passwordConfirm);
      const { user, made } = byAdmin
        ? { user: await users.register({ ...fields, active: true }), made: true }
        : await registerOneself(fields, request);
      const what = made ? 'account made' : 'confirmation sent again';
      model.log.info(what, { user: user._id, ...callerFacts(request) });
      return { success: true, key: byAdmin ? user._id : user.login, value: ownUser(user) };
    }),
  );

  router.get(
    '/:login',
    route(byLogin, userAnswer, async ({ params }, request): Promise<UserAnswer> => {
      const user = await requireAccount(request, params.login);
      return { key: params.login, value: ownUser(user) };
    }),
  );

  router.put(
    '/:login',
    route(profileChange, registerAnswer, async ({ params, body }, request): Promise<RegisterAnswer> => {
      const user = await requireAccount(request, params.login);
      const { _id, login, groups, bookmarks, userlists, ctime, pendingEmail, ...sent } = body;
      const { passwordConfirm, currentPassword, active, password, ...fields } = sent;
      if (_id !== undefined && _id !== user._id) {
        throw new MyPadsError('BACKEND.ERROR.TYPE.ID_STR', { field: '_id' });
      }
      if (login !== undefined && login !== user.login) {
        throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'login' });
      }
      requireSamePassword(password, passwordConfirm);
      const byAdmin = request.mypads.session?.kind === 'admin';
      // A password of another sign-in service, as old clients send it with every profile, is never kept.
      const keptHere = byAdmin || configuration.get('authMethod') === 'internal';
      // A whole account that a client sends back: the old address in it is no wish to keep it.
      const echoed = fields.email === user.email && pendingEmail === user.pendingEmail?.address;
      const email = echoed ? undefined : fields.email;
      const changes = { ...fields, email, password: password === '' || !keptHere ? undefined : password };
      const saved = byAdmin
        ? await users.updateProfile(user._id, { ...changes, active })
        : await changeOneself(request, user, changes, currentPassword);
      const changed = Object.entries({ ...changes, active: byAdmin ? active : undefined })
        .filter(([field, value]) =>
          field === 'password' ? !isDeepStrictEqual(saved.password, user.password) : value !== undefined,
        )
        .map(([field]) => (field === 'email' && saved.email !== changes.email ? 'pendingEmail' : field));
      model.log.info('account changed', { user: user._id, changed, ...callerFacts(request) });
      return { success: true, key: params.login, value: ownUser(saved) };
    }),
  );

  router.delete(
    '/:login/sessions',
    route(byLogin, keyAnswer, async ({ params }, request): Promise<KeyAnswer> => {
      const user = await requireAccount(request, params.login);
      await model.sessions.endAll('user', user._id, request.mypads.session?._id);
      model.log.info('sessions ended', { user: user._id, ...callerFacts(request) });
      return { success: true, key: params.login };
    }),
  );

  router.delete(
    '/:login',
    route(removal, keyAnswer, async ({ params, body }, request): Promise<KeyAnswer> => {
      const user = await requireAccount(request, params.login);
      const byAdmin = request.mypads.session?.kind === 'admin';
      if (!byAdmin) await requireCurrentPassword(request, user, body.currentPassword);
      await model.accountRemoval.remove(user._id);
      model.log.info('account removed', { user: user._id, ...callerFacts(request) });
      return { success: true, key: params.login };
    }),
  );

  return router;
}
