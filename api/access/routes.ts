/** Who can open a folder or a pad, and sharing a pad alone with people. */
import { effectiveSettings, type Policy } from '../../model/access/permissions';
import { type AccessRow, groupAccess, padAccess } from '../../model/access/whoHasAccess';
import { type GroupRecord, type PadRecord, roleOfList } from '../../model/store/entities';
import { groupsOf, listWith } from '../../model/store/records';
import type { Handlers } from '../calls';
import { welcomeToPad } from '../group/added';
import { limitInvitations } from '../group/invitationLimits';
import { presentPerson } from '../group/presenter';
import { logPadEvent, savedPad } from '../pad/changed';
import type { Services } from '../services';
import type { AccessAnswer, AccessRowShown, AccountAccessAnswer } from './schema';

const nameOf = ({ _id, name }: Pick<PadRecord, '_id' | 'name'>) => ({ _id, name });

/** `of`: the pad whose access is shown; without it, rows name the pad that they open. */
function shownRow(
  row: AccessRow,
  pads: ReadonlyMap<string, PadRecord>,
  of: PadRecord | undefined,
): AccessRowShown {
  const { why, role } = row;
  const needs = 'needsPassword' in row && row.needsPassword && { needsPassword: true };
  if (row.why === 'member' || row.why === 'directory') return { why, role, user: row.user, ...needs };
  if (row.why === 'invited') {
    const pad = row.pad === of?._id ? of : pads.get(row.pad ?? '');
    return { why, role, address: row.address, ...(pad && { pad: nameOf(pad) }), ...needs };
  }
  if (row.why === 'pad') return { why, role, user: row.user, ...(!of && { pad: nameOf(row.pad) }) };
  if (row.why !== 'link') return { why, role };
  const { _id, label, ends, pad: padId = '' } = row.link;
  const pad = of === undefined ? pads.get(padId) : undefined;
  return { why, role, link: { _id, label, ends }, ...(pad && { pad: nameOf(pad) }) };
}

async function presentAccess(
  { model }: Services,
  group: GroupRecord,
  pad: PadRecord | undefined,
  policy: Policy,
): Promise<AccessAnswer> {
  const pads = pad === undefined ? await model.pads.findMany(group.pads) : new Map<string, PadRecord>();
  const own = [...pads.values()].filter((one) => one.group === group._id);
  const rows = pad
    ? padAccess(pad, group, policy)
    : groupAccess({ ...group, ...(await model.pads.aboutOwn(group)) }, own, policy);
  const users = await model.users.findMany(rows.flatMap((row) => ('user' in row ? [row.user] : [])));
  const { visibility, readonly } = pad ? effectiveSettings(pad, group) : group;
  return {
    // An account that was just removed may still be listed.
    value: rows
      .filter((row) => !('user' in row) || users.has(row.user))
      .map((row) => shownRow(row, pads, pad)),
    users: Object.fromEntries([...users].map(([id, user]) => [id, presentPerson(user, 'full')])),
    visibility,
    readonly,
  };
}

export const accessHandlers = (services: Services) => {
  const { model } = services;
  return {
    async 'POST /pad/{id}/people'({ caller: { actor }, params: { id }, pad, group, body, check }, request) {
      const { loginsOrEmails, role } = body;
      await limitInvitations(services, actor, { entries: loginsOrEmails }, group._id);
      const shared = await model.pads.share(id, loginsOrEmails, role, (_, current) => check(current));
      const { present, absent } = shared;
      if (present.length > 0)
        logPadEvent(services, 'pad changed', request, shared.pad, { changed: ['people'] });
      await welcomeToPad(services, actor, pad, { group, pad: shared.pad });
      return { ...(await savedPad(services, actor, shared.pad)), present, absent };
    },

    async 'DELETE /pad/{id}/people/{login}'({ caller: { actor }, params: { id }, user, check }, request) {
      const pad = await model.pads.unshare(id, user._id, (_, current) => check(current));
      logPadEvent(services, 'pad changed', request, pad, { changed: ['people'] });
      return savedPad(services, actor, pad);
    },

    async 'DELETE /shared/{id}'({ caller: { actor }, params: { id } }, request) {
      await model.keptLinks.forget(actor.id, id);
      const pad = await model.pads.find(id);
      if (pad?.people?.[actor.id] !== undefined) {
        await model.pads.unshare(id, actor.id);
        logPadEvent(services, 'pad changed', request, pad, { changed: ['people'] });
      }
      return { success: true, key: id };
    },

    'GET /group/{id}/access': ({ group }) => presentAccess(services, group, undefined, model.policy()),

    'GET /pad/{id}/access': ({ group, pad }) => presentAccess(services, group, pad, model.policy()),

    async 'GET /admin/users/{login}/access'({ account }): Promise<AccountAccessAnswer> {
      const groups = [...(await model.groups.findMany(groupsOf(account))).values()];
      const alone = new Set((await model.groups.managedAlone(account)).map(({ _id }) => _id));
      const pads = [...(await model.pads.findMany(account.sharedPads ?? [])).values()];
      return {
        groups: groups.flatMap((group) => {
          const list = listWith(account._id, group);
          if (list === undefined) return [];
          return [{ ...nameOf(group), role: roleOfList[list], alone: alone.has(group._id) }];
        }),
        pads: pads.flatMap((pad) => {
          const role = pad.people?.[account._id];
          return role === undefined ? [] : [{ ...nameOf(pad), group: pad.group, role }];
        }),
      };
    },
  } satisfies Partial<Handlers>;
};
