/** Which pads are in an export, what the index says about them, and what is left out. Rights are asked for each pad. */
import {
  type Actor,
  isOpen,
  isPadListed,
  type PeopleSight,
  type Policy,
  padEntry,
  peopleSight,
  seesGroup,
} from '../access/permissions';
import type { Users } from '../accounts/user';
import { dateFormat, isTime } from '../dateFormat';
import type { Groups } from '../folders/group';
import type { Pads } from '../folders/pad';
import { fullName } from '../fullName';
import { exportLimits } from '../limits';
import type { ChatMessage, Log, PadReader, StoredPad } from '../ports';
import { type GroupRecord, memberLists, type PadRecord, roleOfList } from '../store/entities';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import type { Archive } from './archive';
import type { ExportFormat } from './exportRecords';
import { FileNames } from './fileNames';

export type LeftOutReason = 'noAccess' | 'locked' | 'missing' | 'failed' | 'tooLarge' | 'tooMany';

const endings = { text: '.txt', html: '.html', etherpad: '.etherpad', chat: '.chat.txt' } as const;
type FileKind = keyof typeof endings;

export interface IndexedPad {
  name: string;
  createdAt?: string;
  changedAt?: string;
  template?: true;
  files: Partial<Record<FileKind, string>>;
}

export interface IndexedFolder {
  name: string;
  description: string;
  tags: string[];
  visibility: GroupRecord['visibility'];
  path: string;
  people?: { username: string; name: string; role: 'manager' | 'writer' | 'reader' }[];
  pads: IndexedPad[];
}

export interface LeftOut {
  name?: string;
  reason: LeftOutReason;
}

export interface ContentsContext {
  pads: Pick<Pads, 'findMany'>;
  groups: Pick<Groups, 'find'>;
  users: Pick<Users, 'findMany'>;
  padReader: PadReader;
  policy: () => Policy;
  log: Log;
}

export interface ContentsTerms {
  /** Asked for each pad, because the account may be closed meanwhile. Throws then. */
  actor: () => Promise<Actor>;
  formats: readonly ExportFormat[];
  /** Whose messages of the chats are in it. */
  messages: ChatText['of'];
  language: string;
  /** The name of the folder for pads whose own folder the person does not see. */
  shared: string;
}

interface Folder {
  entry: IndexedFolder;
  names: FileNames;
}

class TooLarge extends Error {}

/** Throws `TooLarge`. */
export async function collected(pieces: AsyncIterable<string> | Iterable<string>): Promise<Buffer[]> {
  const found: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece);
    size += bytes.length;
    if (size > exportLimits.file) throw new TooLarge();
    found.push(bytes);
    if (sliceUsed()) await nextSlice();
  }
  return found;
}

const isoTime = (time: number): string => new Date(time).toISOString();

/** What somebody may know of a pad that they may not open. */
const named = (name: string | undefined): { name?: string } => (name === undefined ? {} : { name });

export class Contents {
  readonly folders: IndexedFolder[] = [];
  readonly leftOut: LeftOut[] = [];
  private readonly byGroup = new Map<string, Folder>();
  private readonly folderNames = new FileNames(['index.json', 'index.html', 'me.json']);
  private count = 0;

  constructor(
    private readonly context: ContentsContext,
    private readonly terms: ContentsTerms,
    private readonly archive: Archive,
  ) {}

  /** `name`: that the person knew when they asked. */
  async add(padId: string, name?: string): Promise<void> {
    const found = await this.find(padId);
    const actor = await this.terms.actor();
    if (found === undefined) this.leftOut.push({ ...named(name), reason: 'missing' });
    else await this.addFound(found, actor, name);
    if (sliceUsed()) await nextSlice();
  }

  private async find(padId: string): Promise<{ pad: PadRecord; group: GroupRecord } | undefined> {
    const pad = (await this.context.pads.findMany([padId])).get(padId);
    const group = pad && (await this.context.groups.find(pad.group));
    return pad && group && { pad, group };
  }

  private async addFound(
    { pad, group }: { pad: PadRecord; group: GroupRecord },
    actor: Actor,
    known: string | undefined,
  ): Promise<void> {
    const policy = this.context.policy();
    const entry = padEntry(actor, pad, group, policy);
    if (!isOpen(entry)) {
      const name = isPadListed(actor, pad, group, policy) ? pad.name : known;
      this.leftOut.push({ ...named(name), reason: entry === 'password' ? 'locked' : 'noAccess' });
    } else if (this.count >= exportLimits.pads) this.leftOut.push({ name: pad.name, reason: 'tooMany' });
    else await this.addOpen(pad, group, actor);
  }

  private async addOpen(pad: PadRecord, group: GroupRecord, actor: Actor): Promise<void> {
    const read = await this.attempt(pad, {}, () => this.context.padReader.read(pad._id));
    if ('reason' in read || read.value === undefined) {
      this.leftOut.push({ name: pad.name, reason: 'reason' in read ? read.reason : 'missing' });
      return;
    }
    const { files, failed } = await this.filesOf(read.value, pad);
    const [first] = failed;
    if (first && files.length === 0) {
      this.leftOut.push({ name: pad.name, reason: first.reason });
      return;
    }
    // The right may have been lost while it was read.
    if (await this.isLost(pad._id)) {
      this.leftOut.push({ name: pad.name, reason: 'noAccess' });
      return;
    }
    for (const { format, reason } of failed) this.leftOut.push({ name: pad.name + endings[format], reason });
    await this.store(pad, await this.folderOf(group, actor), files);
  }

  /** What `work` reads, or why it cannot. Throws if the database is the reason: then the export is tried again. */
  private async attempt<T>(
    { _id }: PadRecord,
    what: { format?: FileKind },
    work: () => Promise<T>,
  ): Promise<{ value: T } | { reason: LeftOutReason }> {
    try {
      return { value: await work() };
    } catch (error) {
      if (error instanceof TooLarge) return { reason: 'tooLarge' };
      // It was deleted while it was read.
      if ((await this.find(_id)) === undefined) return { reason: 'missing' };
      this.context.log.warn('pad left out of an export', { pad: _id, ...what, error: String(error) });
      return { reason: 'failed' };
    }
  }

  private async isLost(padId: string): Promise<boolean> {
    const found = await this.find(padId);
    const entry = found && padEntry(await this.terms.actor(), found.pad, found.group, this.context.policy());
    return !isOpen(entry);
  }

  private readersOf(stored: StoredPad, name: string): [FileKind, () => Promise<string | Buffer[]>][] {
    const { formats, messages, language } = this.terms;
    const readers: Record<FileKind, () => Promise<string | Buffer[]>> = {
      text: () => stored.text(),
      html: () => stored.html(name),
      etherpad: () => collected(stored.etherpad(messages === 'all')),
      chat: () => collected(chatText(stored.chat(), { of: messages, language })),
    };
    const kinds = (['text', 'html', 'etherpad', 'chat'] as const).filter((kind) =>
      kind === 'chat' ? messages !== 'none' : formats.includes(kind),
    );
    return kinds.map((kind) => [kind, readers[kind]]);
  }

  private async filesOf(
    stored: StoredPad,
    pad: PadRecord,
  ): Promise<{
    files: [FileKind, string | Buffer[]][];
    failed: { format: FileKind; reason: LeftOutReason }[];
  }> {
    const files: [FileKind, string | Buffer[]][] = [];
    const failed: { format: FileKind; reason: LeftOutReason }[] = [];
    for (const [format, read] of this.readersOf(stored, pad.name)) {
      if (sliceUsed()) await nextSlice();
      const result = await this.attempt(pad, { format }, read);
      if ('reason' in result) failed.push({ format, reason: result.reason });
      // Without messages there is no file of them.
      else if (format !== 'chat' || result.value.length > 0) files.push([format, result.value]);
    }
    return { files, failed };
  }

  private async store(
    pad: PadRecord,
    { entry, names }: Folder,
    files: readonly [FileKind, string | Buffer[]][],
  ): Promise<void> {
    const used = files.map(([kind]) => endings[kind]);
    const base = names.take(pad.name, 'pad', used);
    const paths = Object.fromEntries(files.map(([kind]) => [kind, `${entry.path}/${base}${endings[kind]}`]));
    for (const [kind, content] of files) await this.archive.add(paths[kind] ?? '', content);
    entry.pads.push({
      name: pad.name,
      ...(pad.ctime !== 0 && { createdAt: isoTime(pad.ctime) }),
      ...(pad.lastUpdate !== undefined && { changedAt: isoTime(pad.lastUpdate) }),
      ...(pad.template && { template: true }),
      files: paths,
    });
    this.count += 1;
  }

  private async folderOf(group: GroupRecord, actor: Actor): Promise<Folder> {
    const policy = this.context.policy();
    const isSeen = seesGroup(actor, group, policy);
    const id = isSeen ? group._id : '';
    const known = this.byGroup.get(id);
    if (known) return known;
    const outline = isSeen
      ? await this.outlineOf(group, peopleSight(actor, group, policy))
      : { name: this.terms.shared, description: '', tags: [], visibility: 'restricted' as const };
    const path = this.folderNames.take(outline.name, 'folder');
    const folder = { entry: { ...outline, path, pads: [] }, names: new FileNames() };
    this.byGroup.set(id, folder);
    this.folders.push(folder.entry);
    return folder;
  }

  private async outlineOf(
    group: GroupRecord,
    sight: PeopleSight,
  ): Promise<Omit<IndexedFolder, 'path' | 'pads'>> {
    const { name, description, tags, visibility } = group;
    const outline = { name, description, tags, visibility };
    if (sight !== 'full') return outline;
    const accounts = await this.context.users.findMany(memberLists.flatMap((list) => group[list]));
    const people = memberLists.flatMap((list) =>
      group[list].flatMap((id) => {
        const user = accounts.get(id);
        return user ? [{ username: user.login, name: fullName(user), role: roleOfList[list] }] : [];
      }),
    );
    return { ...outline, people };
  }
}

export interface ChatText {
  /** Whose messages are in it: a set has ids of authors. */
  of: 'all' | 'none' | ReadonlySet<string>;
  language: string;
}

const isOf = (of: ChatText['of'], { author }: ChatMessage): boolean =>
  typeof of === 'string' ? of === 'all' : author !== null && of.has(author);

/** Whatever an editor of texts shows as a new line. Otherwise a message or name could look like several messages. */
const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** Nothing at all if there is no message. Lines after the first one of a message are indented. */
export async function* chatText(
  messages: AsyncIterable<ChatMessage>,
  { of, language }: ChatText,
): AsyncGenerator<string> {
  const format = dateFormat(language, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
  // The time may be that of an imported file, or of a program that counts in nanoseconds.
  const times = (time: number): string => format(isTime(time) ? time : 0);
  for await (const message of messages) {
    if (!isOf(of, message)) continue;
    const { name, text, time } = message;
    yield `[${times(time)} UTC] ${name.replace(lineBreak, ' ')}: ${text.replace(lineBreak, '\n    ')}\n`;
  }
}
