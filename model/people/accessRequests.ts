/**
 * Asking for access, and the mails about it. Neither an answer nor its time may tell whether a folder or pad exists, or
 * what its managers have decided. So everything happens after the answer, in a job.
 */
import type { Policy } from '../access/permissions';
import type { Users } from '../accounts/user';
import { actingAs } from '../actor';
import { MyPadsError } from '../errors';
import type { Groups } from '../folders/group';
import type { GroupCheck } from '../folders/groupRecords';
import {
  type IsNeeded,
  isNeeded,
  type NewRequest,
  openRequest,
  openRequests,
  type RequestInput,
  withoutRequest,
} from '../folders/groupRequests';
import type { Pads } from '../folders/pad';
import type { PadCheck } from '../folders/padRecords';
import { fullName } from '../fullName';
import type { JobQueue, JobRun, Jobs } from '../jobs/types';
import { limits } from '../limits';
import { oneLine } from '../mail/mailer';
import type { GrantRole, GroupRecord, PadRecord, RequestRecord, UserRecord } from '../store/entities';
import { peopleOf } from '../store/records';
import {
  type AccountMailSender,
  createAccountMailSender,
  homeOf,
  isReachable,
  linkTo,
  linkToShared,
  mailAttempts,
  type SenderContext,
} from './accountMailSender';
import { endInvitationsOf, type JoinedPeopleContext } from './joinedPeople';

/** What somebody asks for. It may not exist. */
export type Asked = { group: string } | { pad: string };

export interface AccessRequestsContext extends SenderContext, JoinedPeopleContext {
  groups: Pick<Groups, 'find' | 'addRequest' | 'grantRequest'>;
  pads: Pick<Pads, 'find' | 'findMany' | 'give'>;
  users: Pick<Users, 'get' | 'findMany'>;
  jobs: Pick<Jobs, 'define'>;
  policy: () => Policy;
}

type AskFacts = Asked & { user: string; text: string };

/** Ids only: a mail to a manager about an open request, or to the person `to` who got access. */
interface MailFacts {
  to: string;
  group: string;
  pad?: string | undefined;
  /** Missing in a mail to who has got access. */
  request?: string;
}

/** Requests that may wait at the same time. Further ones are refused with SERVER.BUSY. */
const maxWaiting = 500;

const nameOf = (user: UserRecord): string => {
  const name = fullName(user);
  return name === '' ? user.login : `${name} (${user.login})`;
};

function defineMails(context: AccessRequestsContext, sender: AccountMailSender): JobQueue<MailFacts> {
  const { groups, pads, users } = context;

  /** The name of the pad with that of its group, or only that of the group. */
  async function thingOf(group: GroupRecord, padId: string | undefined): Promise<string> {
    const pad = padId === undefined ? undefined : await pads.find(padId);
    return pad?.group === group._id ? `${pad.name} – ${group.name}` : group.name;
  }

  async function mailManager(manager: UserRecord, group: GroupRecord, id: string): Promise<void> {
    const request = group.requests.find(({ _id, declined }) => _id === id && declined === undefined);
    const person = request && (await users.get(request.user));
    if (request === undefined || person === undefined || !group.admins.includes(manager._id)) return;
    const base = sender.requireBaseUrl();
    await sender.mail(manager, 'accessrequest', {
      link: linkTo(base, `mypads/group/${encodeURIComponent(group._id)}/user/invite`),
      home: homeOf(base),
      person: nameOf(person),
      thing: await thingOf(group, request.pad),
      sentence: request.text,
      time: request.created,
    });
  }

  async function mailPerson(
    person: UserRecord,
    group: GroupRecord,
    { pad, time }: { pad: string | undefined; time: number },
  ): Promise<void> {
    const shared = pad === undefined ? undefined : await pads.find(pad);
    const has = pad === undefined ? peopleOf(group).includes(person._id) : shared?.people?.[person._id];
    if (!has) return;
    const base = sender.requireBaseUrl();
    const thing = shared?.name ?? group.name;
    const link = linkToShared(base, group, shared);
    await sender.mail(person, 'accessgiven', { link, home: homeOf(base), thing, time });
  }

  return context.jobs.define<MailFacts>({
    type: 'mailAccess',
    maxAttempts: mailAttempts,
    canCancel: true,
    async run({ to, group: id, pad, request }, { begun }) {
      const [user, group] = await Promise.all([users.get(to), groups.find(id)]);
      if (user === undefined || group === undefined || !isReachable(user)) return;
      await (request === undefined
        ? mailPerson(user, group, { pad, time: begun })
        : mailManager(user, group, request));
    },
  });
}

/** What an earlier run has added, which has ended before it had begun all mails. */
async function addedBefore(
  groups: Pick<Groups, 'find'>,
  id: string,
  { user, pad }: RequestInput,
): Promise<NewRequest | undefined> {
  const group = await groups.find(id);
  const request = group && openRequests(group).find((one) => one.user === user && one.pad === pad);
  return group && request && { group, request, isMailed: group.requestsMailed === request.created };
}

async function whetherNeeded(
  { pads, policy }: Pick<AccessRequestsContext, 'pads' | 'policy'>,
  group: GroupRecord,
  pad: PadRecord | undefined,
): Promise<IsNeeded> {
  const padsAsked = await pads.findMany(group.requests.flatMap((request) => request.pad ?? []));
  if (pad !== undefined) padsAsked.set(pad._id, pad);
  // A request for another pad came meanwhile.
  const isUnknown = (id: string | undefined): boolean => id !== undefined && !padsAsked.has(id);
  return (current, request) =>
    isUnknown(request.pad) || isNeeded(current, request, policy(), padsAsked.get(request.pad ?? ''));
}

export function createAccessRequests(context: AccessRequestsContext) {
  const { groups, pads, users, jobs, log } = context;
  const sender = createAccountMailSender(context);
  const mails = defineMails(context, sender);

  /** Does nothing when mail is not set up. */
  async function mail(facts: MailFacts, options: { name?: string } = {}): Promise<void> {
    if (sender.isConfigured()) await mails.begin(facts, options);
  }

  async function add({ user, text, ...asked }: AskFacts, { isRepeated }: JobRun): Promise<void> {
    const pad = 'pad' in asked ? await pads.find(asked.pad) : undefined;
    const groupId = 'group' in asked ? asked.group : pad?.group;
    // Not an error: anybody may ask for what does not exist.
    const group = groupId === undefined ? undefined : await groups.find(groupId);
    if (group === undefined || (await users.get(user)) === undefined) return;
    const isStillNeeded = await whetherNeeded(context, group, pad);
    const input = { user, pad: pad?._id, text };
    const isNew = await groups.addRequest(group._id, input, isStillNeeded);
    const added = isNew ?? (isRepeated ? await addedBefore(groups, group._id, input) : undefined);
    if (added) log.info('access requested', { group: group._id, user });
    if (!added?.isMailed) return;
    const request = added.request._id;
    for (const to of added.group.admins)
      await mail({ to, group: group._id, request }, { name: `${request}-${to}` });
  }

  const asking = jobs.define<AskFacts>({
    type: 'askForAccess',
    run: (facts, run) => actingAs({ kind: 'account', id: facts.user }, () => add(facts, run)),
  });

  return {
    /** Queues a request. `text`: a sentence for the managers. Throws SERVER.BUSY. */
    async ask(user: string, asked: Asked, text: string): Promise<void> {
      if ((await asking.open()).length >= maxWaiting) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
      await asking.begin({ ...asked, user, text: [...oneLine(text)].slice(0, limits.sentence).join('') });
    },
    /**
     * Gives the person a role in the group, or in the pad alone, and tells them by mail. Throws KEY_NOT_FOUND,
     * MEMBER.TOO_MANY when the pad is shared with too many.
     */
    async grant(group: string, request: RequestRecord, role: GrantRole, check?: GroupCheck): Promise<void> {
      const requireOpen: GroupCheck = (current) => {
        check?.(current);
        openRequest(current, request._id);
      };
      // The request ends under the same lock, so that nobody can decline it meanwhile.
      const requireInGroup: PadCheck = (_, current) => requireOpen(current);
      const ends = {
        of: (current: GroupRecord) => withoutRequest(current, request._id),
        changed: ['requests'],
      };
      const pad =
        request.pad === undefined
          ? undefined
          : await pads.give(request.pad, request.user, role, requireInGroup, ends);
      const place = pad?.group ?? group;
      const granted = pad
        ? await groups.find(place)
        : await groups.grantRequest(place, request._id, role, check);
      if (granted) await endInvitationsOf(context, [request.user], granted, request.pad);
      await mail({ to: request.user, group: place, pad: request.pad });
    },
    /** Takes back what removed accounts have asked, and mails to them. */
    async forget(accounts: ReadonlySet<string>): Promise<void> {
      await asking.end(({ user }) => accounts.has(user));
      await mails.end(({ to }) => accounts.has(to));
    },
  };
}
