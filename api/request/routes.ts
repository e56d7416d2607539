/** Requests for access to a folder or a pad: asking, and what managers answer. */
import { isOpen, mayAskForAccess, padEntry, roleIn } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import { neededRequests } from '../../model/folders/groupRequests';
import type { Asked } from '../../model/people/accessRequests';
import type { GroupRecord, PadRecord } from '../../model/store/entities';
import { groupsOf } from '../../model/store/records';
import type { Handlers } from '../calls';
import { logGroupEvent } from '../group/changed';
import { presentPerson } from '../group/presenter';
import type { PersonActor } from '../middleware/authorise';
import { idOfRequest } from '../records';
import type { Services } from '../services';
import type { AccessRequest, RequestsAnswer } from './schema';

/**
 * Answers the same for what does not exist, and whatever the managers have decided. Throws REQUEST.OFF, and
 * REQUEST.NOT_NEEDED to somebody who sees the group or the pad.
 */
async function ask(
  { model, limits }: Services,
  actor: PersonActor,
  { group, pad }: { group: GroupRecord | undefined; pad?: PadRecord | undefined },
  [asked, text]: [Asked, string],
): Promise<{ success: true }> {
  const policy = model.policy();
  if (!model.configuration.get('allowRequests') || policy.allPadsPublicsAuthentifiedOnly)
    throw new MyPadsError('BACKEND.ERROR.REQUEST.OFF');
  await limits.consume('request', actor.id);
  if (group !== undefined && !mayAskForAccess(actor, group, policy, pad)) {
    const isSeen = pad === undefined || isOpen(padEntry(actor, pad, group, policy));
    if (isSeen) throw new MyPadsError('BACKEND.ERROR.REQUEST.NOT_NEEDED');
  }
  await model.accessRequests.ask(actor.id, asked, text);
  return { success: true };
}

/** The open requests in the groups that the person manages, the oldest first. */
async function requestsFor({ model }: Services, actor: PersonActor): Promise<RequestsAnswer> {
  const policy = model.policy();
  const user = await model.users.get(actor.id);
  const contents = await model.groupContents.read(user ? groupsOf(user) : []);
  const open = [...contents.values()]
    .filter(({ group }) => roleIn(actor, group) === 'groupAdmin')
    .flatMap((content) => neededRequests(content, policy).map((needed) => ({ ...needed, ...content })));
  const people = await model.users.findMany([...new Set(open.map(({ request }) => request.user))]);
  const value = open.flatMap(({ request, group, pad }): AccessRequest[] => {
    const person = people.get(request.user);
    if (person === undefined) return [];
    return [
      {
        _id: idOfRequest(group, request),
        user: presentPerson(person, 'full'),
        group: { _id: group._id, name: group.name },
        pad: pad ? { _id: pad._id, name: pad.name } : null,
        isReader: group.readers.includes(request.user) || pad?.people?.[request.user] === 'reader',
        text: request.text,
        created: request.created,
      },
    ];
  });
  return { value: value.sort((one, other) => one.created - other.created) };
}

export const requestHandlers = (services: Services) => {
  const { groups, accessRequests } = services.model;
  return {
    'POST /group/{id}/requests': ({ caller: { actor }, params: { id }, found, body: { text = '' } }) =>
      ask(services, actor, { group: found }, [{ group: id }, text]),

    'POST /pad/{id}/requests': ({ caller: { actor }, params: { id }, found, body: { text = '' } }) =>
      ask(services, actor, { group: found?.group, pad: found?.pad }, [{ pad: found?.pad._id ?? id }, text]),

    'GET /requests': ({ caller: { actor } }) => requestsFor(services, actor),

    async 'PUT /requests/{id}'({ group, accessRequest, params, body, check }, request) {
      const { _id } = group;
      if (body.role !== undefined) {
        await accessRequests.grant(_id, accessRequest, body.role, check);
        logGroupEvent(services, 'group changed', request, _id, { changed: ['requests', body.role] });
      } else {
        await groups.declineRequest(_id, accessRequest._id, check);
        logGroupEvent(services, 'group changed', request, _id, { changed: ['requests'] });
      }
      return { success: true, key: params.id };
    },
  } satisfies Partial<Handlers>;
};
