/**
 * Mails to people whom somebody else has added to a folder, or with whom they have shared a pad. People can switch them
 * off in their account.
 */
import type { Users } from '../accounts/user';
import { isError } from '../errors';
import type { GroupRecords } from '../folders/groupRecords';
import type { Pads } from '../folders/pad';
import type { JobQueue, JobRun, Jobs } from '../jobs/types';
import { type GroupRecord, listOfRole, type PadRecord, type UserRecord } from '../store/entities';
import { listWith } from '../store/records';
import {
  createAccountMailSender,
  homeOf,
  isReachable,
  linkToShared,
  mailAttempts,
  type SenderContext,
} from './accountMailSender';
import { shownName } from './invitationMail';

interface AddedFacts {
  group: string;
  /** The pad that is shared alone with them; missing: they were added to the group. */
  pad?: string;
  /** Ids of accounts. */
  people: string[];
  /** Who has added them; `null`: a server administrator. */
  by: string | null;
}

interface AddedMailContext extends SenderContext {
  users: Pick<Users, 'get'>;
  records: Pick<GroupRecords, 'find'>;
  pads: Pick<Pads, 'find'>;
  jobs: Pick<Jobs, 'define'>;
  /** The setting `mailWhenAdded`. */
  isWanted: () => boolean;
}

/** Calls whose mails may wait. Those of further calls are not sent. */
const maxWaiting = 200;
/** After so many failures in a row, the others are tried later: the mail server probably takes no mail now. */
const maxFailures = 5;

const wantsMail = (user: UserRecord): boolean => isReachable(user) && user.mailWhenAdded !== false;

interface Shared {
  group: GroupRecord;
  pad: PadRecord | undefined;
  /** When they were added. */
  time: number;
}

function createSend(context: AddedMailContext) {
  const { users, log } = context;
  const sender = createAccountMailSender(context);
  return async ({ group, pad, time }: Shared, id: string, name: string): Promise<void> => {
    const given = pad?.people?.[id];
    const role = pad ? given && listOfRole[given] : listWith(id, group);
    const user = role && (await users.get(id));
    if (user === undefined || role === undefined || !wantsMail(user)) return;
    const base = sender.requireBaseUrl();
    const link = linkToShared(base, group, pad);
    const about = { name, folder: pad?.name ?? group.name, isPad: pad !== undefined, role, sentence: '' };
    try {
      await sender.mail(user, 'added', { link, home: homeOf(base), about, time });
    } catch (error) {
      // The mail server does not know the address. The others get theirs.
      if (!isError(error, 'BACKEND.ERROR.TYPE.TO_MAIL')) throw error;
      log.debug('notice not sent', { error: String(error) });
    }
  };
}

function defineMails(context: AddedMailContext): JobQueue<AddedFacts> {
  const { jobs, records, pads, users, settings } = context;
  const send = createSend(context);
  return jobs.define<AddedFacts>({
    type: 'mailAdded',
    maxAttempts: mailAttempts,
    canCancel: true,
    async run({ people, ...facts }, { begun, keep, signal }: JobRun) {
      if (!context.isWanted()) return;
      const inviter = facts.by === null ? undefined : await users.get(facts.by);
      const name = inviter === undefined ? (settings('title') ?? '') : shownName(inviter);
      const failed: string[] = [];
      let failure: unknown;
      let inARow = 0;
      for (const [index, person] of people.entries()) {
        signal.throwIfAborted();
        const pad = facts.pad === undefined ? undefined : await pads.find(facts.pad);
        const group = await records.find(pad?.group ?? facts.group);
        if (group === undefined || (facts.pad !== undefined && pad === undefined)) return;
        try {
          await send({ group, pad, time: begun }, person, name);
          inARow = 0;
        } catch (error) {
          failure = error;
          failed.push(person);
          inARow += 1;
        }
        const left = [...people.slice(index + 1), ...failed];
        if (left.length > 0) await keep({ ...facts, people: left }, inARow === 0);
        if (inARow === maxFailures) break;
      }
      if (failed.length > 0) throw failure;
    },
  });
}

export function createAddedMail(context: AddedMailContext) {
  const mails = defineMails(context);
  return {
    /** Whether anybody gets such mails: the setting is on, and mail is set up. */
    isOn: (): boolean => context.isWanted() && createAccountMailSender(context).isConfigured(),
    /** Queues the mails. */
    async tell(facts: AddedFacts): Promise<void> {
      if ((await mails.open()).length < maxWaiting) await mails.begin(facts);
    },
    /** Takes back mails by removed accounts, by id, and those that go to nobody else. */
    forget: (accounts: ReadonlySet<string>): Promise<void> =>
      mails.end(
        ({ by, people }) => (by !== null && accounts.has(by)) || people.every((id) => accounts.has(id)),
      ),
  };
}
