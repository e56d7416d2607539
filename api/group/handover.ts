/** Handing over groups: one by its managers, and all that an account manages alone. */
import type { Request } from 'express';
import { type Actor, mayAdministrate } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import { endInvitationsOf } from '../../model/people/joinedPeople';
import type { GroupRecord, UserRecord } from '../../model/store/entities';
import { peopleOf } from '../../model/store/records';
import type { Handlers } from '../calls';
import type { Services } from '../services';
import { welcomeAdded } from './added';
import { logGroupEvent, savedGroup } from './changed';
import { limitInvitations } from './invitationLimits';

/** Points of a limit that handing over many groups consumes at most, so that it is never impossible. */
const maxPoints = 100;

/**
 * The account that a username or an address names. Throws USER.NOT_FOUND if there is none, or if nobody can sign in
 * with it: nobody could manage the groups then.
 */
async function receiverOf({ model }: Services, entry: string): Promise<UserRecord> {
  const [id] = (await model.users.findByEntries([entry.trim()])).values();
  const user = id === undefined ? undefined : await model.users.get(id);
  if (user?.active && user.closed !== true) return user;
  throw new MyPadsError('BACKEND.ERROR.USER.NOT_FOUND', { field: 'to' });
}

/**
 * Makes the account that `to` names a manager of all groups that only `user` manages. Throws USER.NOT_FOUND,
 * PERMISSION.TOO_MANY; PARAM_INVALID if it is the same account.
 */
export async function handOverAll(
  services: Services,
  { actor, user, to }: { actor: Actor; user: UserRecord; to: string },
  request: Request,
): Promise<GroupRecord[]> {
  const { groups } = services.model;
  const { _id: receiver } = await receiverOf(services, to);
  if (receiver === user._id) throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'to' });
  const alone = await groups.managedAlone(user);
  if (!mayAdministrate(actor) && alone.length > 0) {
    const points = Math.min(alone.length, maxPoints);
    await services.limits.consume('invitation', `${user._id} ${receiver}`, points);
    await services.limits.consume('invitationPerson', receiver, points);
  }
  const handedOver = await groups.handOverAll(user, receiver);
  for (const group of handedOver) {
    logGroupEvent(services, 'group changed', request, group._id, { changed: ['admins'] });
    await endInvitationsOf(services.model, [receiver], group);
    const before = alone.find(({ _id }) => _id === group._id);
    await welcomeAdded(services, actor, peopleOf(before ?? group), group);
  }
  return handedOver;
}

export const handoverHandlers = (services: Services) =>
  ({
    async 'POST /group/{id}/handover'({ caller: { actor }, group: before, body: { to }, check }, request) {
      const { _id: id } = before;
      await limitInvitations(services, actor, { entries: [to] }, id);
      const { _id: receiver } = await receiverOf(services, to);
      const group = await services.model.groups.handOver(id, receiver, check);
      logGroupEvent(services, 'group changed', request, id, { changed: ['admins', 'users', 'readers'] });
      await endInvitationsOf(services.model, [receiver], group);
      await welcomeAdded(services, actor, peopleOf(before), group);
      return savedGroup(services, actor, group);
    },

    async 'POST /admin/users/{login}/handover'({ account: user, caller: { actor }, body: { to } }, request) {
      const groups = await handOverAll(services, { actor, user, to }, request);
      return { success: true, groups: groups.map(({ _id, name }) => ({ _id, name })) };
    },
  }) satisfies Partial<Handlers>;
