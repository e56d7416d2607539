/** Answers that are built from cached pieces of JSON, because serialising a long answer at once would block editing. */
import { createHash, type Hash } from 'node:crypto';

/** Depends only on the content, so that it is the same after a restart. */
const digestOf = (hash: Hash): string => hash.digest('base64url').slice(0, 22);

/** A piece of JSON that is kept and used in many answers. */
export interface JsonPart {
  bytes: Buffer;
  digest: string;
}

/**
 * A copy with memory of its own, for caches. Node cuts small buffers out of shared blocks of 8 KiB, and zlib its
 * results out of 16 KiB: a cached piece would keep its whole block in memory.
 */
export function withOwnMemory(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

export function jsonPart(json: string): JsonPart {
  const bytes = withOwnMemory(Buffer.from(json));
  return { bytes, digest: digestOf(createHash('sha256').update(bytes)) };
}

const comma = Buffer.from(',');
/** Characters of text that become one piece, so that a long answer is converted and hashed in steps. */
const pieceLength = 64 * 1024;

/**
 * Where an answer may be stored: in the caller's cache, compressed in the server's memory, or `nowhere`, because it
 * contains a secret.
 */
type Kept = 'by the caller' | 'here' | 'nowhere';

/** A complete answer that is already JSON. `Answer` is the type of its content. */
export class SerialisedAnswer<Answer extends object> {
  declare readonly answer: Answer;
  readonly length: number;

  constructor(
    readonly pieces: readonly Buffer[],
    /** Digest of the content, used as the ETag. */
    readonly digest: string,
    readonly kept: Kept,
  ) {
    this.length = pieces.reduce((sum, { length }) => sum + length, 0);
  }
}

/** Collects the pieces of an answer in order. */
export class AnswerBuilder {
  private readonly pieces: Buffer[] = [];
  private readonly hash = createHash('sha256');
  private pending = '';

  /** Adds JSON that only this answer contains. */
  text(json: string): this {
    this.pending += json;
    if (this.pending.length >= pieceLength) this.flush();
    return this;
  }

  part({ bytes, digest }: JsonPart): this {
    this.flush();
    this.pieces.push(bytes);
    this.hash.update(digest);
    return this;
  }

  /** Adds a comma between two parts. */
  comma(): void {
    this.flush();
    this.pieces.push(comma);
  }

  private flush(): void {
    if (this.pending === '') return;
    const bytes = Buffer.from(this.pending);
    this.pending = '';
    this.pieces.push(bytes);
    // Without the length, the text before and after a part could be split differently and give the same digest.
    this.hash.update(`${bytes.length}:`).update(bytes);
  }

  done<Answer extends object>({ kept = 'by the caller' }: { kept?: Kept } = {}): SerialisedAnswer<Answer> {
    this.flush();
    return new SerialisedAnswer(this.pieces, digestOf(this.hash), kept);
  }
}

/** Writes the members of a JSON object, with commas between them. */
export class ObjectMembers {
  private first = true;

  constructor(readonly builder: AnswerBuilder) {}

  text(member: string): void {
    if (member === '') return;
    this.builder.text(this.first ? member : `,${member}`);
    this.first = false;
  }

  part(part: JsonPart): void {
    if (part.bytes.length === 0) return;
    if (!this.first) this.builder.comma();
    this.builder.part(part);
    this.first = false;
  }
}

/** `"name":value` */
export const member = (name: string, value: unknown): string =>
  `${JSON.stringify(name)}:${JSON.stringify(value)}`;
