/** Reads one group, with its password if it needs one. */
import type { Request, Response } from 'express';
import { type Actor, groupPasswordHelps } from '../../model/access/permissions';
import type { Handlers } from '../calls';
import type { CallAnswer } from '../middleware/answerCall';
import { presentInPads } from '../pad/peopleInPad';
import { type SeenGroup, seenGroup } from '../records';
import type { Services } from '../services';
import { passwordOfLink, unlock } from '../unlock';
import { openedGroup } from './lists';
import { presentLocked } from './presenter';
import type { GroupAnswer } from './schema';

/** The answer for `actor`. `token`: the token of a guest's new session. */
async function answerFor(
  { model }: Services,
  actor: Actor,
  { group, content }: SeenGroup,
  token?: string,
): Promise<CallAnswer<GroupAnswer>> {
  if (content === undefined) return { key: group._id, value: presentLocked(group), token };
  return openedGroup(model, actor, await model.groupContents.withTimes(content), token);
}

/** `password`: as it was typed. It is checked only if it gives this caller more than they have. */
async function read(
  services: Services,
  [request, response]: [Request, Response],
  seen: SeenGroup,
  password: string | undefined,
): Promise<CallAnswer<GroupAnswer>> {
  const { actor: before } = request.mypads;
  if (!password || !groupPasswordHelps(before, seen.group, services.model.policy()))
    return answerFor(services, before, seen);
  const id = seen.group._id;
  const guarded = { what: 'group' as const, id, shownAs: id };
  const { actor, token } = await unlock(services, request, response, guarded, password);
  return answerFor(services, actor, await seenGroup(services, actor, id), token);
}

export const groupReadingHandlers = (services: Services) =>
  ({
    'GET /group/{id}': ({ params, query, ...seen }, request, response) =>
      read(services, [request, response], seen, passwordOfLink(request, params.id, query.password)),

    'POST /group/{id}/unlock': ({ body, ...seen }, request, response) =>
      read(services, [request, response], seen, body.password),

    async 'GET /group/{id}/present'({ caller: { actor }, content }) {
      return { value: content === undefined ? {} : await presentInPads(services, actor, content) };
    },
  }) satisfies Partial<Handlers>;
