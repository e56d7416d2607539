/** Creates, copies, changes and removes pads. */
import { namesOfSetFields } from '../../model/events';
import type { Handlers } from '../calls';
import type { Services } from '../services';
import { logPadEvent, savedPad } from './changed';

export const padChangeHandlers = (services: Services) => {
  const { limits, model } = services;
  const { pads } = model;
  return {
    async 'POST /pad'({ caller: { actor }, body, check }, request) {
      const { _id, users, group, ...input } = body;
      if (actor.kind === 'user') await limits.consume('pads', actor.id);
      const pad = await pads.create(group, input, check);
      logPadEvent(services, 'pad created', request, pad);
      return savedPad(services, actor, pad);
    },

    async 'POST /pad/{id}/duplicate'({ caller: { actor }, params: { id }, body, check }, request) {
      await limits.consume('pads', actor.id);
      const pad = await pads.duplicate(id, { name: body.name, by: actor.id }, check);
      logPadEvent(services, 'pad duplicated', request, pad, { from: id });
      return savedPad(services, actor, pad);
    },

    async 'PUT /pad/{id}'({ caller: { actor }, params: { id }, body, check }, request) {
      const { name, visibility, password, readonly, group } = body;
      const input = { name, visibility, password, readonly, group };
      const changed = await pads.update(id, input, check);
      logPadEvent(services, 'pad changed', request, changed, { changed: namesOfSetFields(input) });
      return savedPad(services, actor, changed);
    },

    async 'DELETE /pad/chathistory/{id}'({ params: { id }, pad }, request) {
      await pads.removeChatHistory(id);
      logPadEvent(services, 'chat history removed', request, pad);
      return { success: true, key: id };
    },

    async 'DELETE /pad/{id}'({ params: { id }, pad }, request) {
      await pads.remove(id);
      logPadEvent(services, 'pad removed', request, pad);
      return { success: true, key: id };
    },
  } satisfies Partial<Handlers>;
};
