/** Pads: reading them, and tickets that open the editor in a frame. changes.ts has the rest. */
import { type Request, type Response, Router } from 'express';
import { effectiveSettings, guardOf, padEntry } from '../../model/access/permissions';
import { readCookie } from '../../web/cookie';
import { entryCookie } from '../../web/entryCookie';
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
import { presentPad, presentReadOnlyPad } from './presenter';
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
    const before = await lookup.requireNamed(id);
    const policy = model.policy();
    const caller: Unlocked = { actor: request.mypads.actor };
    const needsPassword = padEntry(caller.actor, before.pad, before.group, policy) === 'password';
    const { actor, token } =
      needsPassword && password
        ? await unlock(
            services,
            request,
            response,
            { ...guardOf(before.pad, before.group), shownAs: id },
            password,
          )
        : caller;
    // Read again: checking a password that is stored in an old form replaces its hash.
    const named = await lookup.requireNamed(id);
    if (actor.kind !== 'admin') lookup.requireEntry(actor, named);
    const { pad, group, readOnly } = named;
    const time = (await model.editTimes.lastUpdates([pad])).get(pad._id);
    const present = await visiblePeopleInPad(services, actor, { pad, group });
    const shown = presentPad(actor, pad, group, policy, time);
    return { key: id, value: readOnly ? presentReadOnlyPad(id, shown) : shown, present, token };
  }

  const declared = {
    openTo: 'who may open the pad, server administrator',
    summary: 'Returns a pad, also by its read-only id. For a private pad send its `password` in Base64.',
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
      { who: 'public', summary: 'Says whether the pad is public.', input: byId, answer: publicPadAnswer },
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
        summary:
          'Returns a ticket that opens the editor once. With the read-only id, nobody can write in it.',
        input: byId,
        answer: padTicketAnswer,
        errors: padEntryErrors,
      },
      async ({ params: { id } }, request): Promise<PadTicketAnswer> => {
        const { actor, session, user } = request.mypads;
        const named = await lookup.requireNamed(id);
        const mode = lookup.requireEntry(actor, named);
        const { pad, readOnly } = named;
        // The list of recent pads would reveal the id of the pad.
        if (actor.kind === 'user' && !readOnly) await model.recentPads.opened(actor.id, pad._id);
        const browser = await model.padAccess.visitor(readCookie(request.headers.cookie, entryCookie));
        const from = { requester: addressOf(request), browserSession: browser.session?._id };
        const ticket = await model.tickets.create(session?._id, pad._id, from);
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
