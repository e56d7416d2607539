/** The routes that read one group, with its password if it needs one. */
import type { Request, Response, Router } from 'express';
import { type Actor, groupSight } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import type { GroupContent } from '../../model/folders/groupContent';
import type { LockedGroup } from '../answers';
import { readingErrors } from '../commonErrors';
import { type RouteAnswer, route } from '../middleware/route';
import { presentInPads } from '../pad/peopleInPad';
import type { Services } from '../services';
import { openedGroup } from './lists';
import type { GroupLookup } from './lookup';
import { presentLocked } from './presenter';
import { byId, type GroupAnswer, groupAnswer, type PresentAnswer, presentAnswer } from './schema';
import { addReadRoutes, unlock } from './unlock';

const openTo = 'who may see the group';

type FindVisible = (actor: Actor, id: string) => Promise<{ open?: GroupContent; locked?: LockedGroup }>;

/** Adds `GET /:id/present`. `findVisible`: as in `addGroupReading`. */
function addPresent(router: Router, services: Services, findVisible: FindVisible): void {
  router.get(
    '/:id/present',
    route(
      {
        who: 'everybody',
        openTo,
        summary: 'Returns who has pads of the group open now.',
        input: byId,
        answer: presentAnswer,
        errors: readingErrors,
      },
      async ({ params, caller: { actor } }): Promise<PresentAnswer> => {
        const { open } = await findVisible(actor, params.id);
        return { value: open === undefined ? {} : await presentInPads(services, actor, open) };
      },
    ),
  );
}

/** Adds `GET /:id`, `POST /:id/unlock` and `GET /:id/present`. */
export function addGroupReading(router: Router, services: Services, lookup: GroupLookup): void {
  const { model } = services;

  /**
   * `open`: the content, if the actor may see it; otherwise `locked`, the name of a private group. Throws
   * KEY_NOT_FOUND, MUST_BE, DENIED_RECORD.
   */
  async function findVisible(
    actor: Actor,
    id: string,
  ): Promise<{ open?: GroupContent; locked?: LockedGroup }> {
    const content = await lookup.requireContent(id);
    const sight = groupSight(actor, content.group, model.policy());
    if (sight === 'all' || sight === 'open') return { open: content };
    if (sight === 'name') return { locked: presentLocked(content.group) };
    const signInHelps = actor.kind === 'guest' && model.policy().allPadsPublicsAuthentifiedOnly;
    throw new MyPadsError(
      signInHelps ? 'BACKEND.ERROR.AUTHENTICATION.MUST_BE' : 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD',
      { key: id },
    );
  }

  /** The answer for `actor`. `token`: the token of a guest's new session. */
  async function answerFor(actor: Actor, id: string, token?: string): Promise<RouteAnswer<GroupAnswer>> {
    const { open, locked } = await findVisible(actor, id);
    if (open === undefined) return { key: id, value: locked as LockedGroup, token };
    return openedGroup(model, actor, await model.groupContents.withTimes(open), token);
  }

  /** `password`: as it was typed. It is checked only if the group asks this caller for one. */
  async function read(
    request: Request,
    response: Response,
    id: string,
    password: string | undefined,
  ): Promise<RouteAnswer<GroupAnswer>> {
    const { actor: caller } = request.mypads;
    if (!password || (await findVisible(caller, id)).open !== undefined) return answerFor(caller, id);
    const { actor, token } = await unlock(
      services,
      request,
      response,
      { what: 'group', id, shownAs: id },
      password,
    );
    return answerFor(actor, id, token);
  }

  const declared = {
    openTo,
    summary: 'Returns a group and its pads. For a private group send its `password` in Base64.',
    answer: groupAnswer,
    errors: readingErrors,
  };
  addReadRoutes(router, declared, read);
  addPresent(router, services, findVisible);
}
