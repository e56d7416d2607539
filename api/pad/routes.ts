/** Pads: reading them, and tickets that open the editor in a frame. changes.ts has the rest. */
import type { Request, Response } from 'express';
import { effectiveSettings, guardOf, padPasswordHelps } from '../../model/access/permissions';
import { visitorOf } from '../../web/proxyHeaders';
import { addressOf } from '../../web/rateLimit';
import type { Handlers } from '../calls';
import { type NamedPad, requireEntry, requireNamedPad } from '../records';
import type { Services } from '../services';
import { passwordOfLink, type Unlocked, unlock } from '../unlock';
import { guestIdentity, padIdentity } from './identity';
import { visiblePeopleInPad } from './peopleInPad';
import { presentPad, presentReadOnlyPad } from './presenter';
import type { PadAnswer } from './schema';

/** `password`: as it was typed. It is checked only if the pad asks this caller for one. */
async function read(
  services: Services,
  [request, response]: [Request, Response],
  { pad: before, group: groupBefore, id }: NamedPad,
  password: string | undefined,
): Promise<PadAnswer> {
  const { model } = services;
  const policy = model.policy();
  const caller: Unlocked = { actor: request.mypads.actor };
  const needsPassword = padPasswordHelps(caller.actor, before, groupBefore, policy);
  const guarded = { ...guardOf(before, groupBefore), shownAs: id };
  const { actor, token } =
    needsPassword && password ? await unlock(services, request, response, guarded, password) : caller;
  // Read again: checking a password that is stored in an old form replaces its hash.
  const named = await requireNamedPad(services, id);
  if (actor.kind !== 'admin') requireEntry(services, actor, named);
  const { pad, group, readOnly } = named;
  const time = (await model.editTimes.lastUpdates([pad])).get(pad._id);
  const present = await visiblePeopleInPad(services, actor, { pad, group });
  const shown = presentPad(actor, pad, group, policy, time);
  return { key: id, value: readOnly ? presentReadOnlyPad(id, shown) : shown, present, token };
}

export const padReadingHandlers = (services: Services) => {
  const { model } = services;
  return {
    'GET /pad/{id}': ({ params, query, named }, request, response) =>
      read(services, [request, response], named, passwordOfLink(request, params.id, query.password)),

    'POST /pad/{id}/unlock': ({ body, named }, request, response) =>
      read(services, [request, response], named, body.password),

    'GET /pad/ispublic/{id}'({ params, found }) {
      const guestsMayEnter = !model.policy().allPadsPublicsAuthentifiedOnly;
      const ispublic =
        found !== undefined &&
        guestsMayEnter &&
        effectiveSettings(found.pad, found.group).visibility === 'public';
      return { success: true, key: params.id, ispublic };
    },

    async 'POST /pad/{id}/ticket'({ params: { id }, named: { pad, readOnly }, mode }, request) {
      const { actor, session, user } = request.mypads;
      // The list of recent pads would reveal the id of the pad.
      if (actor.kind === 'user' && !readOnly) await model.recentPads.opened(actor.id, pad._id);
      const browser = await visitorOf(model, request);
      const from = { requester: addressOf(request), browserSession: browser.session?._id };
      const ticket = await model.tickets.create(session?._id, pad._id, from);
      const useFirstLastNameInPads = model.configuration.get('useFirstLastNameInPads');
      const identity = session?.guest
        ? guestIdentity(session.guest)
        : padIdentity(user, { useFirstLastNameInPads });
      return { success: true, key: id, ticket, ...identity, mode };
    },
  } satisfies Partial<Handlers>;
};
