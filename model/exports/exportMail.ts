/**
 * Emails about exports: to who has asked, unless they have seen that it is ready, and to a person whose data a server
 * administrator has exported.
 */
import type { Users } from '../accounts/user';
import { isError } from '../errors';
import type { JobQueue, JobRun, Jobs } from '../jobs/types';
import {
  createAccountMailSender,
  homeOf,
  isReachable,
  linkTo,
  type SenderContext,
} from '../people/accountMailSender';
import type { ExportOwner, ExportRecord, ExportRecords } from './exportRecords';

export interface ExportMailContext extends SenderContext {
  records: ExportRecords;
  users: Pick<Users, 'get'>;
  jobs: Pick<Jobs, 'define'>;
}

interface Waiting {
  user: string;
  about: 'exportready' | 'exported';
  /** Since when, in milliseconds since 1970. */
  since: number;
  /** It was handed to the mail server, unless the process was killed just before. */
  handedOver?: true;
}

/** By id of the export. */
type MailFacts = Record<string, Waiting>;

/** Milliseconds in which the page of who has asked shows that it is ready. Also between two attempts. */
const delay = 30_000;
/** Milliseconds after which an email that cannot be sent is given up. */
const giveUp = 2 * 3600_000;

const without = (facts: MailFacts, gone: (id: string, waiting: Waiting) => boolean): MailFacts =>
  Object.fromEntries(Object.entries(facts).filter(([id, waiting]) => !gone(id, waiting)));

export class ExportMail {
  private readonly queue: JobQueue<MailFacts>;
  private readonly sender;

  constructor(private readonly context: ExportMailContext) {
    this.sender = createAccountMailSender(context);
    this.queue = context.jobs.define<MailFacts>({
      type: 'mailExports',
      run: (facts, run) => this.run(facts, run),
      shared: {
        delay,
        waits: true,
        merge: (facts, more) => ({ ...facts, ...more }),
        without(facts, done) {
          const left = without(facts, (id) => Object.hasOwn(done, id));
          return Object.keys(left).length === 0 ? undefined : left;
        },
      },
    });
  }

  private async wait(id: string, user: string, about: Waiting['about']): Promise<void> {
    if (this.sender.isConfigured())
      await this.queue.begin({ [id]: { user, about, since: this.context.now() } });
  }

  /** Sends an email in a while, unless `seen` is stored until then. */
  async ready(owner: ExportOwner, id: string): Promise<void> {
    if (owner.kind === 'user') await this.wait(id, owner.name, 'exportready');
  }

  /** Tells a person (id of their account) that an administrator has exported their data. */
  exported(id: string, account: string): Promise<void> {
    return this.wait(`${id} notice`, account, 'exported');
  }

  private async run(facts: MailFacts, { signal, did }: JobRun): Promise<void> {
    const { now, log } = this.context;
    const done: MailFacts = {};
    did(done);
    for (const [id, waiting] of Object.entries(facts)) {
      signal.throwIfAborted();
      // Also when the clock was ahead.
      const age = Math.abs(now() - waiting.since);
      if (age < delay || (await this.isUnfinished(id, waiting))) continue;
      try {
        await this.send(id, waiting);
        done[id] = waiting;
      } catch (error) {
        // Not passed on: then those that are sent would be sent again.
        const retry = age < giveUp;
        if (retry) await this.queue.begin({ [id]: waiting });
        else done[id] = waiting;
        log.warn('email about an export not sent', { retry, error: String(error) });
      }
    }
  }

  private async send(id: string, waiting: Waiting): Promise<void> {
    const { user: account, about, since, handedOver } = waiting;
    const user = await this.context.users.get(account);
    if (user === undefined || !isReachable(user)) return;
    // Not a second time: the page shows that it is ready. That an administrator has the data is rather told twice.
    if (about === 'exportready' && (handedOver || !(await this.isUnseen(account, id)))) return;
    const base = this.sender.requireBaseUrl();
    await this.queue.begin({ [id]: { ...waiting, handedOver: true } });
    try {
      const facts = { link: linkTo(base, 'myexports'), home: homeOf(base), time: since };
      await this.sender.mail(user, about, facts);
    } catch (error) {
      // The mail server does not know the address.
      if (!isError(error, 'BACKEND.ERROR.TYPE.TO_MAIL')) throw error;
      this.context.log.debug('notice not sent', { error: String(error) });
    }
  }

  private async exportOf(account: string, id: string): Promise<ExportRecord | undefined> {
    const open = await this.context.records.of({ kind: 'user', name: account });
    return open.find(({ _id }) => _id === id);
  }

  private async isUnseen(account: string, id: string): Promise<boolean> {
    const found = await this.exportOf(account, id);
    return found?.state === 'ready' && found.seen !== true;
  }

  /** The process was killed before it had stored that the file is ready, so it is made again. */
  private async isUnfinished(id: string, { user, about }: Waiting): Promise<boolean> {
    return about === 'exportready' && (await this.exportOf(user, id))?.state === 'working';
  }

  /** Takes back what waits for removed accounts. */
  async forget(accounts: ReadonlySet<string>): Promise<void> {
    await this.queue.end((facts) => Object.values(facts).every(({ user }) => accounts.has(user)));
  }
}
