/**
 * Messages between processes. Those to all are numbered, so that a lost one is noticed. Those to one process are
 * questions and answers.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { MyPadsError } from '../../model/errors';
import type { Log } from '../../model/ports';
import { SharedRuns } from '../../model/sharedRuns';
import type { Channel, Receiver } from '../channel';
import type { Link } from './link';
import type { Names } from './names';

/** Maximum number of unsent messages. Beyond it they are dropped, and the other processes read everything again. */
const maxWaiting = 1_000;
/**
 * A process that works on a question says so every `sign` milliseconds. Without a sign or an answer for `pauses` pauses
 * of `pause` milliseconds, it counts as suspended: whoever asks must not wait until its lease expires.
 */
const questionTimes = { sign: 250, pause: 250, pauses: 4 };

/** Topic of the message that replaces dropped ones: receivers read everything again. */
const lostTopic = 'lost';

/** The same message, not from any process. */
export const lostMessage = JSON.stringify({ from: '', topic: lostTopic });

/** `id`: grows by one with each message of this sender. Missing in `lostMessage`. */
interface Numbered {
  from: string;
  id?: number;
  topic: string;
  content?: unknown;
}

/**
 * Messages to one process. `granted`: the token of a lock that it has waited for and holds now. `working`: a question
 * that is not answered yet.
 */
type Direct =
  | { granted: string }
  | { working: string }
  | { question: string; from: string; topic: string; content: unknown }
  | { answer: string; value?: unknown; error?: string };

/** Answers questions of other processes. If it rejects, `ask` rejects in the process that asked. */
export type Answerer = (topic: string, content: unknown) => Promise<unknown>;

interface Context {
  link: Link;
  names: Names;
  process: () => string;
  log: Log;
  granted(token: string): void;
}

/** Finds gaps in the numbers of the messages that arrive. */
class Sequence {
  private last: number | undefined;
  /** The last number at the previous renewal. Messages up to it must have arrived by the next renewal. */
  private expected = 0;

  /** Returns false when messages were lost before this one. */
  arrived(number: number): boolean {
    const complete = this.last === undefined || number === this.last + 1;
    this.last = number;
    return complete;
  }

  /** Returns false when messages were lost. */
  check(number: number): boolean {
    const last = this.last ?? number;
    // A smaller number: Redis has lost its data.
    const complete = last >= this.expected && number >= this.expected;
    this.last = complete ? last : number;
    this.expected = number;
    return complete;
  }

  /** Starts again from this number, after a new subscription. Returns false when messages were lost. */
  restart(number: number): boolean {
    const complete = this.last === undefined || this.last === number;
    this.last = number;
    this.expected = number;
    return complete;
  }
}

/** Maximum number of senders that are remembered. */
const maxSenders = 100;

/** Recognises messages that arrive twice: one whose answer was lost is sent again. */
class Arrivals {
  /** `missing`: ids below the last one that have not arrived. They may arrive later. */
  private readonly senders = new Map<string, { last: number; missing: Set<number> }>();

  isNew(from: string, id: number): boolean {
    const sender = this.senders.get(from) ?? { last: id - 1, missing: new Set() };
    // The senders that were heard last are at the end.
    this.senders.delete(from);
    this.senders.set(from, sender);
    const [oldest] = this.senders.keys();
    if (this.senders.size > maxSenders && oldest !== undefined) this.senders.delete(oldest);
    if (id <= sender.last) return sender.missing.delete(id);
    const { missing } = sender;
    for (let one = Math.max(sender.last + 1, id - maxWaiting); one < id; one += 1) missing.add(one);
    for (const one of missing) if (one < id - maxWaiting) missing.delete(one);
    sender.last = id;
    return true;
  }
}

/** `pauses`: since the last sign of the other process. */
interface Waiting {
  pauses: number;
  answered(answer: Extract<Direct, { answer: string }>): void;
}

const busy = (): MyPadsError => new MyPadsError('BACKEND.ERROR.SERVER.BUSY');

/** Questions that wait for an answer. */
class Questions {
  private readonly waiting = new Map<string, Waiting>();
  private count = 0;

  async ask(milliseconds: number, send: (id: string) => Promise<number>): Promise<unknown> {
    this.count += 1;
    const id = String(this.count);
    const answer = new Promise((resolve, reject) => {
      this.waiting.set(id, {
        pauses: 0,
        answered({ value, error }) {
          if (error === undefined) resolve(value);
          else reject(new Error(error));
        },
      });
      send(id).then((receivers) => {
        if (receivers === 0) reject(busy());
      }, reject);
    });
    try {
      return await Promise.race([answer, this.giveUp(id, milliseconds)]);
    } finally {
      this.waiting.delete(id);
    }
  }

  answered(answer: Extract<Direct, { answer: string }>): void {
    this.waiting.get(answer.answer)?.answered(answer);
  }

  isWorking(id: string): void {
    const question = this.waiting.get(id);
    if (question) question.pauses = 0;
  }

  private async giveUp(id: string, milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    for (let question = this.waiting.get(id); question; question = this.waiting.get(id)) {
      // Counts pauses and not the time: if this process was suspended itself, signs wait to be read.
      if (question.pauses >= questionTimes.pauses || performance.now() > end) throw busy();
      question.pauses += 1;
      await wait(questionTimes.pause, undefined, { ref: false });
    }
  }
}

export class Messages implements Channel {
  private readonly context: Context;
  private readonly sequence = new Sequence();
  private readonly arrivals = new Arrivals();
  /** The id of the last message of this process. */
  private lastId = 0;
  private readonly questions = new Questions();
  private readonly receivers = new Set<Receiver>();
  /** Not sent yet, oldest first. */
  private waiting: string[] = [];
  private readonly sending = new SharedRuns(() => this.send());
  /** The last run of `sending`, until it has ended. Never rejects. */
  private lastSending: Promise<void> | undefined;
  private readonly pings = new SharedRuns(async () => void (await this.context.link.subscriber.ping()));
  private listening = false;
  /** The data of Redis when this process listened last. */
  private generation: string | undefined;
  private answerer: Answerer = () => Promise.reject(new Error('this process answers no questions'));

  constructor(context: Context) {
    this.context = context;
    const { subscriber } = context.link;
    subscriber.on('close', () => {
      this.listening = false;
    });
    subscriber.on('message', (channel: string, text: string) => this.receive(channel, text));
  }

  publish(topic: string, content: unknown): void {
    const from = this.context.process();
    this.lastId += 1;
    const message: Numbered = { from, id: this.lastId, topic, content };
    this.waiting.push(JSON.stringify(message));
    if (this.waiting.length > maxWaiting) this.waiting = [lostMessage];
    void this.flush();
  }

  /** Sends the messages that could not be sent while Redis was unavailable. */
  flush(): Promise<void> {
    const sent = this.sending
      .run()
      .catch(() => {
        // Sent at the next renewal of the lease that succeeds.
      })
      .finally(() => {
        if (this.lastSending === sent) this.lastSending = undefined;
      });
    this.lastSending = sent;
    return sent;
  }

  sent(): Promise<void> | undefined {
    return this.lastSending;
  }

  /** True while messages wait that could not be sent. */
  hasUnsent(): boolean {
    return this.waiting.length > 0;
  }

  /** The answer to a ping arrives after all messages that Redis has sent before it on the same connection. */
  received(): Promise<void> | undefined {
    return this.listening ? this.pings.run() : undefined;
  }

  subscribe(receiver: Receiver): () => void {
    this.receivers.add(receiver);
    return () => void this.receivers.delete(receiver);
  }

  /**
   * Rejects when the process answers with an error. Throws SERVER.BUSY when it has ended, does not answer within
   * `milliseconds`, or is suspended, which is noticed within about a second.
   */
  ask(process: string, topic: string, content: unknown, milliseconds: number): Promise<unknown> {
    return this.questions.ask(milliseconds, (question) =>
      this.sendTo(process, { question, from: this.context.process(), topic, content }),
    );
  }

  answerWith(answerer: Answerer): void {
    this.answerer = answerer;
  }

  /**
   * Subscribes, unless this connection has subscribed already. `sequence`: the number of the last message.
   * `generation`: the data of Redis. Other data has other messages, whatever their numbers.
   */
  async listen(sequence: number, generation: string): Promise<void> {
    const isComplete = this.listening ? this.sequence.check(sequence) : await this.beginToListen();
    const isSameData = this.generation === undefined || this.generation === generation;
    this.generation = generation;
    if (!isComplete || !isSameData) this.missed();
  }

  /** Returns false when messages were lost. */
  private async beginToListen(): Promise<boolean> {
    const { link, names, process } = this.context;
    await link.subscriber.subscribe(names.messages, names.to(process()));
    // Read after the subscription, because messages before it were not received.
    const current = Number((await link.commands.get(names.sequence)) ?? 0);
    this.listening = true;
    return this.sequence.restart(current);
  }

  /** Tells the receivers that no messages arrive at the moment. */
  unavailable(): void {
    for (const receiver of this.receivers) receiver.unavailable();
  }

  /** Sends in order. Messages that could not be sent stay at the beginning of the queue. */
  private async send(): Promise<void> {
    const { link, names } = this.context;
    const batch = this.waiting;
    this.waiting = [];
    const sent = await Promise.allSettled(
      batch.map((message) => link.commands.publishNumbered(names.sequence, names.messages, message)),
    );
    const failed = sent.findIndex(({ status }) => status === 'rejected');
    if (failed < 0) return;
    this.waiting = [...batch.slice(failed), ...this.waiting];
    throw new Error('not sent');
  }

  private missed(): void {
    this.context.log.warn('messages of other processes lost, reading everything again');
    for (const receiver of this.receivers) receiver.missed();
  }

  private receive(channel: string, text: string): void {
    if (channel !== this.context.names.messages) {
      this.receiveDirect(JSON.parse(text) as Direct);
      return;
    }
    const space = text.indexOf(' ');
    const complete = this.sequence.arrived(Number(text.slice(0, space)));
    const { from, id, topic, content } = JSON.parse(text.slice(space + 1)) as Numbered;
    if (!complete || topic === lostTopic) this.missed();
    if (from === this.context.process() || id === undefined || !this.arrivals.isNew(from, id)) return;
    for (const receiver of this.receivers) receiver.message(topic, content);
  }

  private receiveDirect(direct: Direct): void {
    if ('granted' in direct) this.context.granted(direct.granted);
    else if ('answer' in direct) this.questions.answered(direct);
    else if ('working' in direct) this.questions.isWorking(direct.working);
    else void this.answer(direct);
  }

  private async answer(direct: Extract<Direct, { question: string }>): Promise<void> {
    const { question, from, topic, content } = direct;
    const send = (message: Direct): void => void this.sendTo(from, message).catch(() => {});
    let isAnswered = false;
    const work = this.answerer(topic, content)
      .then(
        (value) => send({ answer: question, value }),
        (error: unknown) =>
          send({ answer: question, error: error instanceof Error ? error.message : String(error) }),
      )
      .finally(() => {
        isAnswered = true;
      });
    const pause = (): Promise<void> => wait(questionTimes.sign, undefined, { ref: false });
    for (await Promise.race([work, pause()]); !isAnswered; await Promise.race([work, pause()]))
      send({ working: question });
  }

  private sendTo(process: string, direct: Direct): Promise<number> {
    const { link, names } = this.context;
    return link.commands.publish(names.to(process), JSON.stringify(direct));
  }
}
