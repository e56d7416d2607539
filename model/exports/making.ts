/** Makes the file of one export: what was asked for, with the rights of the moment in which each pad is read. */
import type { Actor, Policy } from '../access/permissions';
import type { Sessions } from '../access/session';
import type { Users } from '../accounts/user';
import { MyPadsError } from '../errors';
import type { Groups } from '../folders/group';
import type { KeptLinks } from '../folders/keptLinks';
import { exportLimits } from '../limits';
import { mailLanguage } from '../mail/texts';
import type { OwnFiles, PadReader } from '../ports';
import type { UserRecord } from '../store/entities';
import { type Archive, archiveOf } from './archive';
import { Contents, type ContentsContext, collected } from './contents';
import type { ExportOwner, ExportRecord } from './exportRecords';
import { type ExportIndex, exportText, IndexPage } from './indexPage';
import { PersonalData, type PersonalDataContext } from './personalData';

export interface MakingContext extends ContentsContext, PersonalDataContext {
  users: Pick<Users, 'get' | 'findMany'>;
  groups: Pick<Groups, 'find' | 'findMany'>;
  pads: ContentsContext['pads'] & PersonalDataContext['pads'];
  sessions: Pick<Sessions, 'list' | 'unlockedOf'>;
  keptLinks: Pick<KeptLinks, 'proofsOf'>;
  padReader: PadReader;
  exportFiles: OwnFiles;
  policy: () => Policy;
  settings: (name: 'defaultLanguage') => string | undefined;
  now: () => number;
}

export interface Made {
  size: number;
  pads: number;
  leftOut: number;
}

export interface MakingTerms {
  owner: ExportOwner;
  signal: AbortSignal;
  progress(done: number, total: number): void;
}

export class Making {
  private readonly language;
  /** What `fill` has thrown: everything else that fails is the disk. */
  private failure: unknown;

  constructor(
    private readonly context: MakingContext,
    private readonly record: ExportRecord,
    private readonly terms: MakingTerms,
  ) {
    this.language = mailLanguage(record.lang, context.settings('defaultLanguage'));
  }

  /**
   * Throws EXPORT.TOO_LARGE, EXPORT.NOT_STORED, AUTHENTICATION.DENIED when the account was closed, USER.NOT_FOUND when
   * it is gone, and what the database throws.
   */
  async make(file: string): Promise<Made> {
    const counts = { pads: 0, leftOut: 0 };
    const { exportFiles, now } = this.context;
    const { signal } = this.terms;
    const fill = async (archive: Archive): Promise<void> => {
      const index = await this.fill(archive);
      counts.pads = index.folders.reduce((sum, { pads }) => sum + pads.length, 0);
      counts.leftOut = index.leftOut.length;
    };
    try {
      const size = await exportFiles.write(file, this.bounded(archiveOf(fill, { now: now(), signal })));
      return { size, ...counts };
    } catch (error) {
      if (this.failure !== undefined) throw this.failure;
      throw new MyPadsError('BACKEND.ERROR.EXPORT.NOT_STORED', { reason: String(error) });
    }
  }

  /** The next piece. Whoever writes it throws their own errors into the generator, so only this notes a failure. */
  private async next(content: AsyncGenerator<Buffer>, before: number): Promise<IteratorResult<Buffer>> {
    try {
      const next = await content.next();
      if (!next.done && before + next.value.length > exportLimits.archive)
        throw new MyPadsError('BACKEND.ERROR.EXPORT.TOO_LARGE', { most: exportLimits.archive });
      return next;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  private async *bounded(content: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
    let size = 0;
    try {
      for (;;) {
        const next = await this.next(content, size);
        if (next.done) return;
        size += next.value.length;
        yield next.value;
      }
    } finally {
      await content.return(undefined);
    }
  }

  private async account(id: string): Promise<UserRecord> {
    const user = await this.context.users.get(id);
    if (user === undefined) throw new MyPadsError('BACKEND.ERROR.USER.NOT_FOUND');
    return user;
  }

  /** The account with whose rights pads are read. An administrator reads those of a person as this person. */
  private readerId(): string {
    const { subject } = this.record;
    return subject.kind === 'account' ? subject.id : this.terms.owner.name;
  }

  /** Throws when the account of who has asked is closed or gone. */
  private readonly actor = async (): Promise<Actor> => {
    const user = await this.account(this.readerId());
    if (this.terms.owner.kind === 'user' && (!user.active || user.closed))
      throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DENIED');
    const unlocked = { ...this.context.keptLinks.proofsOf(user), ...this.record.unlocked };
    return { kind: 'user', id: user._id, unlocked: this.context.sessions.unlockedOf({ unlocked }) };
  };

  /** The pads to read, with the names that whoever asked knew. */
  private async wanted(): Promise<{ id: string; name?: string }[]> {
    const { subject } = this.record;
    if (subject.kind === 'pads') return subject.pads;
    if (subject.kind === 'group') {
      const group = await this.context.groups.find(subject.id);
      return (group?.pads ?? []).map((id) => ({ id }));
    }
    const ids = await this.context.padReader.writtenBy(await this.authors(subject.id));
    return ids.map((id) => ({ id }));
  }

  /** Also the author that the person was in 1.x. */
  private async authors(account: string): Promise<string[]> {
    const { authors: ids = [], eplAuthorToken } = await this.account(account);
    const tokens = eplAuthorToken === '' ? [] : [eplAuthorToken];
    return this.context.padReader.authorsOf({ ids, tokens });
  }

  private async fill(archive: Archive): Promise<ExportIndex> {
    const { subject, formats, chat } = this.record;
    const actor = await this.actor();
    const isPersonal = subject.kind === 'account';
    const own = isPersonal ? await this.authors(subject.id) : [];
    const contents = new Contents(
      this.context,
      {
        actor: this.actor,
        formats,
        messages: chat ? 'all' : isPersonal ? new Set(own) : 'none',
        language: this.language,
        shared: exportText(this.language, 'shared'),
      },
      archive,
    );
    if (isPersonal) {
      const user = { ...(await this.account(subject.id)), authors: own };
      const data = await new PersonalData(this.context, user, actor).read();
      await archive.add('me.json', json(data));
    }
    await this.addPads(contents);
    const index = await this.indexOf(contents);
    await archive.add('index.json', json(index));
    await archive.add(
      'index.html',
      await collected(new IndexPage(index, this.language, isPersonal).pieces()),
    );
    return index;
  }

  private async addPads(contents: Contents): Promise<void> {
    const { subject } = this.record;
    const wanted = await this.wanted();
    if (subject.kind === 'group' && (await this.context.groups.find(subject.id)) === undefined)
      contents.leftOut.push({ name: subject.name, reason: 'missing' });
    for (const [done, { id, name }] of wanted.entries()) {
      this.terms.signal.throwIfAborted();
      this.terms.progress(done, wanted.length);
      await contents.add(id, name);
    }
  }

  private async indexOf({ folders, leftOut }: Contents): Promise<ExportIndex> {
    const { owner } = this.terms;
    return {
      format: 'ep_mypads',
      version: 1,
      server: this.record.server,
      createdAt: new Date(this.context.now()).toISOString(),
      createdBy: owner.kind === 'admin' ? owner.name : (await this.account(owner.name)).login,
      folders,
      leftOut,
    };
  }
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
