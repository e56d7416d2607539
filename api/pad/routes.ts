/** Pads: reading them, and tickets that open the editor in a frame. changes.ts has the rest. */
import { type Request, type Response, Router } from 'express';
import { effectiveSettings, guardOf, padEntry } from '../../model/access/permissions';
import { addressOf } from '../../web/rateLimit';
import { padEntryErrors, readingErrors } from '../commonErrors';
import { byId } from '../group/schema';
import { addReadRoutes, type Unlocked, unlock } from '../group/unlock';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { addChangeRoute, addCreationRoutes, addRemovalRoutes } from './changes';
import { padIdentity } from './identity';
import { createPadLookup, type PadLookup } from './lookup';
import { visiblePeopleInPad } from './peopleInPad';
import { presentPad } from './presenter';
import {
  type PadAnswer,
  type PadTicketAnswer,
  type PublicPadAnswer,
  padAnswer,
  padTicketAnswer,
  publicPadAnswer,
} from './schema';

/** Adds `GET /:id` and `POST /:id/unlock`. */
function addReading(router: Router, services: Services, lookup: PadLookup): void {
  const { model } = services;

  /** `password`: as it was typed. It is checked only if the pad asks this caller for one. */
  async function read(
    request: Request,
    response: Response,
    id: string,
    password: string | undefined,
  ): Promise<PadAnswer> {
    const before = await lookup.require(id);
    const policy = model.policy();
    const caller: Unlocked = { actor: request.mypads.actor };
    const needsPassword = padEntry(caller.actor, before.pad, before.group, policy) === 'password';
    const { actor, token } =
      needsPassword && password
        ? await unlock(services, request, response, guardOf(before.pad, before.group), password)
        : caller;
    // Read again: checking a password that is stored in an old form replaces its hash.
    const { pad, group } = await lookup.require(id);
    if (actor.kind !== 'admin') lookup.requireEntry(actor, { pad, group });
    const time = (await model.editTimes.lastUpdates([pad])).get(id);
    const present = await visiblePeopleInPad(services, actor, { pad, group });
    return { key: id, value: presentPad(actor, pad, group, policy, time), present, token };
  }

  const declared = {
    openTo: 'who may open the pad, server administrator',
    summary: 'Returns a pad. For a private pad send its `password` in Base64.',
    answer: padAnswer,
    errors: [...readingErrors, 'BACKEND.ERROR.TYPE.PASSWORD_MISSING'] as const,
  };
  addReadRoutes(router, declared, read);
}

/** Adds `GET /ispublic/:id` and `POST /:id/ticket`. */
function addEntryRoutes(router: Router, { model }: Services, lookup: PadLookup): void {
  router.get(
    '/ispublic/:id',
    route(
      { who: 'public', summary: 'Whether the pad is public.', input: byId, answer: publicPadAnswer },
      async ({ params }): Promise<PublicPadAnswer> => {
        const found = await lookup.find(params.id);
        const guestsMayEnter = !model.policy().allPadsPublicsAuthentifiedOnly;
        const ispublic =
          found !== undefined &&
          guestsMayEnter &&
          effectiveSettings(found.pad, found.group).visibility === 'public';
        return { success: true, key: params.id, ispublic };
      },
    ),
  );

  router.post(
    '/:id/ticket',
    route(
      {
        who: 'everybody',
        openTo: 'who may open the pad',
        summary: 'Returns a ticket that opens the editor once.',
        input: byId,
        answer: padTicketAnswer,
        errors: padEntryErrors,
      },
      async ({ params: { id } }, request): Promise<PadTicketAnswer> => {
        const { actor, session, user } = request.mypads;
        const mode = lookup.requireEntry(actor, await lookup.require(id));
        if (actor.kind === 'user') await model.recentPads.opened(actor.id, id);
        const ticket = await model.tickets.create(session?._id, id, addressOf(request));
        const useFirstLastNameInPads = model.configuration.get('useFirstLastNameInPads');
        return { success: true, key: id, ticket, ...padIdentity(user, { useFirstLastNameInPads }), mode };
      },
    ),
  );
}

export function padRoutes(services: Services): Router {
  const router = Router();
  const lookup = createPadLookup(services);
  addCreationRoutes(router, services, lookup);
  addReading(router, services, lookup);
  addEntryRoutes(router, services, lookup);
  addChangeRoute(router, services, lookup);
  addRemovalRoutes(router, services, lookup);
  return router;
}
