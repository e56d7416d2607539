/** Creates, copies, changes and removes pads. */
import { accountIdOf } from '../../model/access/permissions';
import { dateFormat } from '../../model/dateFormat';
import { namesOfSetFields } from '../../model/events';
import { fullName } from '../../model/fullName';
import type { UserRecord } from '../../model/store/entities';
import type { Handlers } from '../calls';
import type { Services } from '../services';
import { logPadEvent, savedPad } from './changed';

/** What the placeholders of a template become: the day, the name of the pad, and who creates it. */
function textsFor(
  { model }: Services,
  user: UserRecord | undefined,
  title: string,
): Record<'date' | 'title' | 'name', string> {
  const language = user?.lang ?? model.configuration.get('defaultLanguage');
  const date = dateFormat(language)(model.now());
  return { date, title, name: user ? fullName(user) || user.login : '' };
}

export const padChangeHandlers = (services: Services) => {
  const { limits, model } = services;
  const { pads, trash } = model;
  return {
    async 'POST /pad'({ caller, body, check, template }, request) {
      const { actor } = caller;
      const user = 'user' in caller ? caller.user : undefined;
      const { _id, users, group, template: _, ...input } = body;
      if (actor.kind === 'user') await limits.consume('pads', actor.id);
      const from = template && {
        pad: template._id,
        by: user?._id,
        texts: textsFor(services, user, input.name),
      };
      const pad = await pads.create(group, { ...input, from }, check);
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
      const { name, visibility, password, readonly, template, group } = body;
      const input = { name, visibility, password, readonly, template, group };
      const changed = await pads.update(id, input, check);
      logPadEvent(services, 'pad changed', request, changed, { changed: namesOfSetFields(input) });
      return savedPad(services, actor, changed);
    },

    async 'DELETE /pad/chathistory/{id}'({ params: { id }, pad }, request) {
      await pads.removeChatHistory(id);
      logPadEvent(services, 'chat history removed', request, pad);
      return { success: true, key: id };
    },

    async 'DELETE /pad/{id}'({ caller: { actor }, params: { id }, query: { permanent }, pad }, request) {
      const keeps = trash.isOn() && !permanent;
      if (keeps) await trash.addPad(id, accountIdOf(actor));
      else await pads.remove(id);
      logPadEvent(services, keeps ? 'pad put into the trash' : 'pad removed', request, pad);
      return { success: true, key: id };
    },
  } satisfies Partial<Handlers>;
};
