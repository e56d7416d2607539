/** Links that open a folder or a pad: making, changing and ending them, and opening one. */
import { accountIdOf, entryErrors, proofOfLink } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import { namesOfSetFields } from '../../model/events';
import { oneLine } from '../../model/mail/mailer';
import type { GroupRecord, LinkRecord } from '../../model/store/entities';
import { currentLinks, peopleOf } from '../../model/store/records';
import { setEntryCookie } from '../../web/entryCookie';
import { attemptPassword } from '../../web/passwordAttempt';
import { addressOf } from '../../web/rateLimit';
import type { Handlers } from '../calls';
import { logGroupEvent } from '../group/changed';
import type { Services } from '../services';
import type { Link, LinksAnswer } from './schema';

const day = 24 * 3_600_000;

const openingHandlers = ({ model, limits }: Services) =>
  ({
    /** Nothing is used up by opening a link. An unknown secret and an ended link get the same answer. */
    async 'POST /links/open'({ body: { secret, password, name: typed = '', keep } }, request, response) {
      // The others see it beside the label of the link: it may not turn or break that line.
      const name = oneLine(typed);
      const found = await model.groups.linkOfSecret(secret);
      const asked = found?.link.asksName === true && request.mypads.actor.kind === 'guest';
      if (asked && name === '') throw new MyPadsError('BACKEND.ERROR.TYPE.GUEST_NAME_MISSING');
      if (found?.link.password && !password) throw new MyPadsError(entryErrors.password);
      const { session } = request.mypads;
      const browser = request.headers['user-agent'];
      const attempt = async () => {
        if (found === undefined) throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND');
        const { link } = found;
        const isRight = !link.password || (await model.passwords.verify(password ?? '', link.password)).ok;
        const guest = asked ? { name, link: oneLine(link.label) } : undefined;
        const caller = { session, browser };
        const proof =
          isRight && (await model.unlocks.prove('link', link._id, proofOfLink(link), caller, guest));
        if (!proof) throw new MyPadsError('BACKEND.ERROR.PERMISSION.UNAUTHORIZED');
        return proof;
      };
      const guarded = { what: 'link' as const, id: found?.link._id ?? 'unknown' };
      const caller = { address: addressOf(request), guarded, device: undefined, guest: !session };
      const { started } = await attemptPassword(limits, caller, attempt);
      if (started) setEntryCookie(request, response, started);
      const { group, link } = found as NonNullable<typeof found>;
      const { actor, user } = request.mypads;
      const mayKeep = actor.kind === 'user' && !peopleOf(group).includes(actor.id);
      // Its password may be another one than when they chose to keep it.
      const isKept = user?.keptLinks?.some(({ _id }) => _id === link._id);
      if (mayKeep && (keep || isKept)) await model.keptLinks.keep(actor.id, group, link);
      if (!keep) await model.groups.countUse(link);
      // The id of a folder contains its name, which a link to a pad does not show.
      const target =
        link.pad === undefined ? { group: group._id, pad: null } : { group: null, pad: link.pad };
      return { success: true, value: { ...target, role: link.role, mayKeep }, token: started?.token };
    },
  }) satisfies Partial<Handlers>;

/** Links in answers. */
function createPresenting(groups: Services['model']['groups']) {
  async function present(links: readonly LinkRecord[]): Promise<Link[]> {
    const uses = await groups.usesOf(links);
    return links.map((link, index) => ({
      _id: link._id,
      role: link.role,
      label: link.label,
      pad: link.pad ?? null,
      ends: link.ends,
      hasPassword: link.password !== null,
      asksName: link.asksName,
      by: link.by,
      created: link.created,
      ...(uses[index] ?? { uses: 0, lastUse: null }),
      secret: groups.secretOf(link),
    }));
  }

  async function presentOne(link: LinkRecord) {
    const [value] = await present([link]);
    return { success: true as const, key: link._id, value: value as Link };
  }

  const linksOf = async (
    group: GroupRecord,
    seen: readonly LinkRecord[],
    pad?: string,
  ): Promise<LinksAnswer> => ({
    value: await present(
      currentLinks(group).filter((link) => seen.includes(link) && (pad === undefined || link.pad === pad)),
    ),
  });

  return { presentOne, linksOf };
}

export const linkHandlers = (services: Services) => {
  const { model } = services;
  const { groups } = model;
  const { presentOne, linksOf } = createPresenting(groups);

  /** Throws TYPE.PARAM_INVALID for an end that is later than the setting `linksMaxDays` allows. */
  function requireEarlyEnd(ends: number | null): void {
    const days = model.configuration.get('linksMaxDays');
    if (days === 0 || (ends !== null && ends <= model.now() + days * day)) return;
    throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'ends', most: days });
  }

  return {
    ...openingHandlers(services),

    'GET /group/{id}/links': async ({ group, links }) =>
      linksOf({ ...group, ...(await model.pads.aboutOwn(group)) }, links),

    async 'POST /group/{id}/links'({ caller: { actor }, group: { _id: id }, body, check }, request) {
      requireEarlyEnd(body.ends ?? null);
      const link = await groups.createLink(id, body, accountIdOf(actor), check);
      logGroupEvent(services, 'group changed', request, id, { changed: ['links'] });
      return presentOne(link);
    },

    'GET /pad/{id}/links': ({ group, pad, links }) => linksOf(group, links, pad._id),

    async 'POST /pad/{id}/links'({ caller: { actor }, group: { _id: id }, pad, body, check }, request) {
      requireEarlyEnd(body.ends ?? null);
      const link = await groups.createLink(id, { ...body, pad: pad._id }, accountIdOf(actor), check);
      logGroupEvent(services, 'group changed', request, id, { changed: ['links'] });
      return presentOne(link);
    },

    async 'PUT /links/{id}'({ group, link: { _id }, body, check }, request) {
      if (body.ends !== undefined) requireEarlyEnd(body.ends);
      const link = await groups.changeLink(group._id, _id, body, check);
      const changed = ['links', ...namesOfSetFields(body)];
      logGroupEvent(services, 'group changed', request, group._id, { changed });
      return presentOne(link);
    },

    async 'DELETE /links/{id}'({ group, link: { _id }, check }, request) {
      await groups.endLink(group._id, _id, check);
      logGroupEvent(services, 'group changed', request, group._id, { changed: ['links'] });
      return { success: true, key: _id };
    },
  } satisfies Partial<Handlers>;
};
