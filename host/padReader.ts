/**
 * Reads stored pads for an export: text and HTML as Etherpad's own export makes them, and Etherpad's own format.
 * Etherpad keeps every pad that it has loaded in memory, so pads are read here past its list of pads.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { escapeHtml } from '../model/html';
import type { ChatMessage, Database, PadReader, StoredPad } from '../model/ports';
import { core, pluginHooks } from './core';
import type { AttributedText } from './placeholders';
import { claimedPrefixes } from './pluginRecords';

interface PadRecord {
  atext: AttributedText;
  pool: { numToAttrib?: Record<string, [string, string]> };
  head: number;
  chatHead?: number;
}

/** Etherpad's own object for a pad. */
interface HostPad {
  atext: AttributedText;
  pool: { fromJsonable(pool: unknown): unknown };
}

/** Another process may be writing the pad: what belongs together is in the database within 100 ms. */
const attempts = 10;
const attemptsForMessage = 2;
const betweenAttempts = 200;
/** Records that are read at the same time. */
const batchSize = 50;

const isPad = (stored: unknown): stored is PadRecord =>
  typeof (stored as Partial<PadRecord> | null)?.atext?.text === 'string' &&
  Number.isInteger((stored as PadRecord).head);

/** The object that Etherpad's functions for an export need. */
function hostPadOf(padId: string, { atext, pool }: PadRecord): HostPad {
  const { Pad } = core<{ Pad: new (id: string) => HostPad }>('node/db/Pad');
  const pad = new Pad(padId);
  pad.atext = atext;
  pad.pool.fromJsonable(pool);
  return pad;
}

async function htmlOf(padId: string, record: PadRecord, title: string): Promise<string> {
  const { getPadHTML } = core<{ getPadHTML(pad: HostPad): Promise<string> }>('node/utils/ExportHtml');
  const { aCallAll } = pluginHooks();
  const eejs = core<{ require(name: string, values: object): string }>('node/eejs');
  const body = await getPadHTML(hostPadOf(padId, record));
  const more = await aCallAll('exportHTMLAdditionalContent', { padId });
  const styles = await aCallAll('stylesForExport', padId);
  return eejs.require('ep_etherpad-lite/templates/export_html.html', {
    body: body + more.join(''),
    padId: escapeHtml(title),
    extraCSS: styles.join(''),
    proxyPath: '',
  });
}

async function textOf(padId: string, record: PadRecord): Promise<string> {
  const exporting = core<{ getTXTFromAtext(pad: HostPad, atext: AttributedText): string | Promise<string> }>(
    'node/utils/ExportTxt',
  );
  return exporting.getTXTFromAtext(hostPadOf(padId, record), record.atext);
}

const authorsIn = ({ pool }: PadRecord): string[] => [
  ...new Set(
    Object.values(pool.numToAttrib ?? {}).flatMap(([name, value]) =>
      name === 'author' && value !== '' ? [value] : [],
    ),
  ),
];

export class HostPadReader implements PadReader {
  /** `database`: past Etherpad's cache if other processes write pads too. */
  constructor(private readonly database: Pick<Database, 'get' | 'findKeys'>) {}

  async read(padId: string): Promise<StoredPad | undefined> {
    const record = await this.database.get(`pad:${padId}`);
    if (!isPad(record)) return undefined;
    return {
      text: () => textOf(padId, record),
      html: (title) => htmlOf(padId, record, title),
      etherpad: (chat) => this.etherpad(padId, record, chat),
      chat: () => this.chat(padId, record),
    };
  }

  async authorsOf({ ids, tokens }: Parameters<PadReader['authorsOf']>[0]): Promise<string[]> {
    const named = await Promise.all(tokens.map((token) => this.database.get(`token2author:${token}`)));
    return [...new Set([...ids, ...named.filter((id) => typeof id === 'string')])];
  }

  async writtenBy(authors: readonly string[]): Promise<string[]> {
    const found = new Set<string>();
    for (const author of authors) {
      const record = (await this.database.get(`globalAuthor:${author}`)) as { padIDs?: unknown } | null;
      if (typeof record?.padIDs !== 'object' || record.padIDs === null) continue;
      for (const padId of Object.keys(record.padIDs)) found.add(padId);
    }
    return [...found];
  }

  /** `undefined` if there is none. */
  private async record(key: string, most: number): Promise<unknown> {
    for (let left = most; left > 0; left -= 1) {
      const value = await this.database.get(key);
      if (value !== null && value !== undefined) return value;
      await pause(betweenAttempts);
    }
    return undefined;
  }

  /** In order; `undefined` for a missing one. */
  private async *records(prefix: string, count: number, most: number): AsyncGenerator<[string, unknown]> {
    for (let start = 0; start < count; start += batchSize) {
      const keys = Array.from(
        { length: Math.min(batchSize, count - start) },
        (_, index) => `${prefix}${start + index}`,
      );
      const values = await Promise.all(keys.map((key) => this.record(key, most)));
      for (const [index, key] of keys.entries()) yield [key, values[index]];
    }
  }

  /** Throws if one is missing, because what was written is not complete then. */
  private async *revisions(padId: string, { head }: PadRecord): AsyncGenerator<[string, unknown]> {
    for await (const [key, value] of this.records(`pad:${padId}:revs:`, head + 1, attempts)) {
      if (value === undefined) throw new Error(`no record ${key}`);
      yield [key, value];
    }
  }

  /** Without messages that were never stored, as Etherpad shows it. Old pads count some. */
  private async *messages(padId: string, { chatHead = -1 }: PadRecord): AsyncGenerator<[string, unknown]> {
    for await (const [key, value] of this.records(`pad:${padId}:chat:`, chatHead + 1, attemptsForMessage))
      if (value !== undefined) yield [key, value];
  }

  /** An import refuses a file that lacks a message, so they are numbered anew, and the pad is last. */
  private async *etherpad(padId: string, record: PadRecord, chat: boolean): AsyncGenerator<string> {
    const entry = (key: string, value: unknown): string => `${JSON.stringify(key)}:${JSON.stringify(value)}`;
    let chatHead = -1;
    yield '{';
    for await (const [key, value] of this.authors(padId, authorsIn(record))) yield `${entry(key, value)},`;
    for await (const [key, value] of this.revisions(padId, record)) yield `${entry(key, value)},`;
    for await (const [, value] of chat ? this.messages(padId, record) : []) {
      chatHead += 1;
      yield `${entry(`pad:${padId}:chat:${chatHead}`, value)},`;
    }
    for await (const [key, value] of this.ofPlugins(padId)) yield `${entry(key, value)},`;
    yield `${entry(`pad:${padId}`, { ...record, chatHead })}}`;
  }

  /** Without the other pads of each author. */
  private async *authors(padId: string, ids: readonly string[]): AsyncGenerator<[string, object]> {
    for (const id of ids) {
      const key = `globalAuthor:${id}`;
      const author = (await this.database.get(key)) as { name?: unknown; colorId?: unknown } | null;
      if (author) yield [key, { colorId: author.colorId, name: author.name, padIDs: padId }];
    }
  }

  /** What plugins store beside the pad, such as comments. */
  private async *ofPlugins(padId: string): AsyncGenerator<[string, unknown]> {
    for (const prefix of await claimedPrefixes()) {
      const key = `${prefix}:${padId}`;
      const more = (await this.database.findKeys(`${key}:*`, null)).filter((one) =>
        one.startsWith(`${key}:`),
      );
      for (const one of [key, ...more]) {
        const value = await this.database.get(one);
        if (value !== null && value !== undefined) yield [one, value];
      }
    }
  }

  private async *chat(padId: string, record: PadRecord): AsyncGenerator<ChatMessage> {
    for await (const [, value] of this.messages(padId, record)) {
      // Etherpad 1.8 has `userId`, later versions have `authorId`.
      const message = value as { text?: unknown; userId?: unknown; authorId?: unknown; time?: unknown };
      const id = message.authorId ?? message.userId;
      const author = typeof id === 'string' ? id : null;
      yield {
        author,
        name: author === null ? '' : await this.nameOf(author),
        text: String(message.text ?? ''),
        time: Number(message.time ?? 0),
      };
    }
  }

  private async nameOf(author: string): Promise<string> {
    const record = (await this.database.get(`globalAuthor:${author}`)) as { name?: unknown } | null;
    return typeof record?.name === 'string' ? record.name : '';
  }
}
