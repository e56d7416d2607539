/**
 * Exports that people have asked for: one record for each person, so that nobody can name those of others, and one
 * write decides. What is over is treated as missing, and removed by a regular job.
 */
import type { ErrorKey } from '../errors';
import { exportLimits } from '../limits';
import type { SessionRecord } from '../store/entities';
import { keys, type Store } from '../store/store';

export const exportFormats = ['text', 'html', 'etherpad'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Who asks: an account by its id, or a server administrator by name. */
export interface ExportOwner {
  kind: 'user' | 'admin';
  name: string;
}

/** With the names that whoever asked knew. `account`: everything about this account (id). */
export type ExportSubject =
  | { kind: 'pads'; pads: { id: string; name: string }[] }
  | { kind: 'group'; id: string; name: string }
  | { kind: 'account'; id: string };

export interface ExportRequest {
  subject: ExportSubject;
  formats: readonly ExportFormat[];
  /** With what others have written in the chats. */
  chat: boolean;
  /** Language of the person; `''`: the server's. */
  lang: string;
  /** The host in the address of this server, as the caller named it. */
  server: string;
  /** What the session of the caller has proved. Only fingerprints. */
  unlocked: SessionRecord['unlocked'];
}

export interface ExportRecord extends ExportRequest {
  _id: string;
  /** Times in milliseconds since 1970. */
  created: number;
  state: 'working' | 'ready' | 'failed';
  /** Since it is `ready` or `failed`. */
  ended?: number;
  /** Bytes of the file. */
  size?: number;
  /** How many pads are in it, and how many are not. */
  pads?: number;
  leftOut?: number;
  /** Why it has failed. */
  error?: ErrorKey;
  /** Whoever asked has seen that it is ready. */
  seen?: true;
}

interface Stored {
  exports?: unknown;
}

function isExport(stored: unknown): stored is ExportRecord {
  const { _id, created, state, subject } = (stored ?? {}) as Partial<ExportRecord>;
  return (
    typeof _id === 'string' &&
    typeof created === 'number' &&
    typeof state === 'string' &&
    subject !== undefined
  );
}

/** Damaged entries are left out. */
export function readExports(stored: unknown): ExportRecord[] {
  const { exports: list } = (stored ?? {}) as Stored;
  return Array.isArray(list) ? list.filter(isExport) : [];
}

/** When an export is removed, in milliseconds since 1970. */
export const endOf = ({ created, ended }: Pick<ExportRecord, 'created' | 'ended'>): number =>
  (ended ?? created) + exportLimits.lifetime;

export const keyOf = ({ kind, name }: ExportOwner): string => keys.exportsOf(kind, name);

export class ExportRecords {
  constructor(
    private readonly store: Pick<Store, 'get' | 'update' | 'locked' | 'set' | 'remove' | 'scan'>,
    private readonly now: () => number,
  ) {}

  private readonly isOpen = (record: ExportRecord): boolean => this.now() < endOf(record);

  /** The latest first. */
  async of(owner: ExportOwner): Promise<ExportRecord[]> {
    const stored = readExports(await this.store.get(keyOf(owner)));
    return stored.filter(this.isOpen).sort((one, other) => other.created - one.created);
  }

  /** Changes all exports in one record. Nothing is written when `decide` returns the same list. */
  change(owner: ExportOwner, decide: (open: ExportRecord[]) => ExportRecord[]): Promise<void> {
    return this.changeUnder(keyOf(owner), decide);
  }

  private changeUnder(key: string, decide: (open: ExportRecord[]) => ExportRecord[]): Promise<void> {
    return this.store.locked([key], async () => {
      const stored = readExports(await this.store.get(key));
      const open = stored.filter(this.isOpen);
      const after = decide(open);
      if (after === open && open.length === stored.length && stored.length > 0) return;
      if (after.length > 0) await this.store.set(key, { exports: after });
      else await this.store.remove(key);
    });
  }

  /** Removes what is over. A regular job. */
  async sweep(signal?: AbortSignal): Promise<void> {
    for (const key of await this.store.scan(keys.exports)) {
      signal?.throwIfAborted();
      await this.changeUnder(key, (open) => open);
    }
  }

  /** Removes what these accounts have asked for, and what administrators have asked about them. */
  async forget(accounts: ReadonlySet<string>): Promise<void> {
    for (const name of accounts) await this.store.remove(keyOf({ kind: 'user', name }));
    const isAbout = ({ subject }: ExportRecord): boolean =>
      subject.kind === 'account' && accounts.has(subject.id);
    for (const key of await this.store.scan(keys.exports)) {
      await this.changeUnder(key, (open) =>
        open.some(isAbout) ? open.filter((one) => !isAbout(one)) : open,
      );
    }
  }
}
