/** Changes an account: one's own, or any as a server administrator. */
import { isDeepStrictEqual } from 'node:util';
import type { Request, Router } from 'express';
import { mayAdministrate } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import type { OwnAccount } from '../../model/people/ownAccount';
import type { UserRecord } from '../../model/store/entities';
import { normaliseName } from '../../web/rateLimit';
import { byPassword, mails } from '../commonErrors';
import { recordByAdmin } from '../middleware/adminLog';
import { originOf } from '../middleware/rootUrl';
import { callerFacts } from '../middleware/session';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import type { AccountLookup } from './lookup';
import { isRepeated, requireSamePassword } from './passwordFields';
import { profileChange, type RegisterAnswer, registerAnswer } from './schema';

type OwnChange = Parameters<OwnAccount['change']>[1];

type ChangeOneself = (
  request: Request,
  user: UserRecord,
  sent: OwnChange,
  currentPassword: string | undefined,
) => Promise<UserRecord>;

function createChangeOneself({ model, limits }: Services, lookup: AccountLookup): ChangeOneself {
  return async (request, user, sent, currentPassword) => {
    const { email, password } = sent;
    const repeated = isRepeated(password ?? undefined, currentPassword);
    const changes = repeated ? { ...sent, password: undefined } : sent;
    if (password !== undefined || (email !== undefined && email !== user.email)) {
      await lookup.requireCurrentPassword(request, user, currentPassword ?? password ?? undefined);
    }
    // A new password invalidates mailed recovery links. Without a limit, a thief of the password could keep its owner
    // from recovering the account.
    if (typeof changes.password === 'string') await limits.consume('passwordChange', user._id);
    if (email !== undefined && model.ownAccount.needsConfirmation(user, email)) {
      await limits.consume('emailChange', user._id);
      await limits.consume('registrationMail', normaliseName(email));
    }
    const keepSession = request.mypads.session?._id;
    const origin = originOf(request, model.configuration);
    return model.ownAccount.change(user, changes, { keepSession, origin });
  };
}

/** Adds `PUT /:login`. */
export function addProfileChange(router: Router, services: Services, lookup: AccountLookup): void {
  const { model } = services;
  const { users, configuration } = model;
  const changeOneself = createChangeOneself(services, lookup);

  router.put(
    '/:login',
    route(
      {
        who: 'oneself',
        summary:
          'Changes the fields that are sent. To change their own `password` or `email`, people must send `currentPassword`.',
        input: profileChange,
        answer: registerAnswer,
        errors: [
          ...mails,
          ...byPassword,
          'BACKEND.ERROR.TYPE.PASSWORD_SIZE',
          'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS',
          'BACKEND.ERROR.USER.NOT_FOUND',
        ],
        example: { body: { firstname: 'Alice', color: '#1a6b4a', lang: 'fr' } },
      },
      async ({ params, body }, request): Promise<RegisterAnswer> => {
        const user = await lookup.requireAccount(request, params.login);
        const { _id, login, groups, bookmarks, userlists, ctime, pendingEmail, ...more } = body;
        const { closed, unconfirmed, addressTaken, key, ...sent } = more;
        const { passwordConfirm, passwordCurrent, active, password, ...others } = sent;
        const { currentPassword = passwordCurrent, ...fields } = others;
        if (_id !== undefined && _id !== user._id) {
          throw new MyPadsError('BACKEND.ERROR.TYPE.ID_STR', { field: '_id' });
        }
        if (login !== undefined && login !== user.login) {
          throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'login' });
        }
        const byAdmin = mayAdministrate(request.mypads.actor);
        const onlyProof = !byAdmin && isRepeated(password, currentPassword);
        if (!onlyProof || passwordConfirm !== '') requireSamePassword(password, passwordConfirm);
        // Passwords are only stored with `authMethod` `internal`. Old clients send one with every profile.
        const keptHere = byAdmin || configuration.get('authMethod') === 'internal';
        // The client sent the whole account back. The old address in it does not cancel a change that waits for
        // confirmation.
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
        recordByAdmin(model, request, 'accountChanged', { object: { kind: 'user', id: user._id }, changed });
        return { success: true, key: params.login, value: lookup.present(request, saved) };
      },
    ),
  );
}
