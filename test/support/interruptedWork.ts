/**
 * Work that a killed process leaves in the middle: the trash, exports and imports. Each step is held before one of its
 * writes, which the small plugin of severalPlugin.ts does, so that the process is killed exactly there.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { ExportAnswer } from '../../api/export/schema';
import type { ImportProgress } from '../../api/padImport/schema';
import { checkEach } from './cases';
import type { RunningEtherpad } from './etherpad';
import { hostApi } from './hostApi';
import { createFixture, type Person } from './hostFixture';
import { command, heldKeys, untilHeld } from './severalEtherpads';
import { PadClient } from './socketClient';
import { until } from './waiting';
import { readZip, zipOf } from './zips';

/** Where the work is done, and where people look at it after the end of that process. */
export interface Place {
  victim: RunningEtherpad;
  /** The other process, or the same one when it runs again. */
  after: RunningEtherpad;
  /** Keys of the database that contain one of these texts. */
  keysWith(texts: string[]): Promise<string[]>;
  /** Kills `victim`. Resolves when people can go on in `after`. */
  kill(): Promise<void>;
}

export interface Step {
  title: string;
  /**
   * Beginnings of keys. The step waits before its first write of the first one, then of the second, and so on. Without
   * any, the process is killed when the step was answered.
   */
  keys: string[];
  /** Resolves to the status of the answer. */
  begin(): Promise<number>;
  /** Throws if what is left is wrong. */
  check(): Promise<void>;
}

/** Steps on their way to the last of their keys. Another write of the same key is the next one. */
class Steps {
  /** The number of the key before which each of them waits. */
  private readonly reached: number[];
  private readonly answers: Promise<number | 'cut'>[];
  private readonly given: (number | 'cut')[] = [];

  constructor(
    private readonly victim: RunningEtherpad,
    private readonly steps: readonly Step[],
  ) {
    this.reached = steps.map(() => -1);
    this.answers = steps.map(async ({ begin }, index) => {
      const answer = await begin().catch(() => 'cut' as const);
      this.given[index] = answer;
      return answer;
    });
  }

  private async advance(held: readonly string[], index: number): Promise<void> {
    const { title, keys } = this.steps[index] as Step;
    const answer = this.given[index] ?? 200;
    if (answer !== 200) throw new Error(`${title} is answered ${answer}`);
    const next = (this.reached[index] ?? 0) + 1;
    const key = keys[next];
    if (key === undefined || !held.some((one) => one.startsWith(key))) return;
    this.reached[index] = next;
    const following = keys[next + 1];
    if (following === undefined) return;
    if (following === key) await command(this.victim, { do: 'letPass', key });
    else {
      await command(this.victim, { do: 'holdWrites', keys: [following] });
      await command(this.victim, { do: 'endWrites', keys: [key] });
    }
  }

  private missing(): string[] {
    return this.steps.flatMap(({ title, keys }, index) => {
      const next = (this.reached[index] ?? 0) + 1;
      const isDone = keys.length === 0 ? this.given[index] !== undefined : next === keys.length;
      return isDone ? [] : [`${title} (${keys[next] ?? 'its answer'})`];
    });
  }

  /** With one question for all of them: one for each would keep the process from working. */
  async reachAll(): Promise<void> {
    for (const end = performance.now() + 120_000; this.missing().length > 0; await pause(50)) {
      if (performance.now() > end) throw new Error(`Timed out waiting for ${this.missing().join(', ')}`);
      const held = await heldKeys(this.victim);
      for (const index of this.steps.keys()) await this.advance(held, index);
    }
  }

  ended = (): Promise<unknown> => Promise.all(this.answers);
}

/** `last`: a key that all steps write, before which all of them are stopped in the end. */
async function interrupt(place: Place, steps: readonly Step[], last?: string): Promise<void> {
  const { victim } = place;
  await command(victim, { do: 'holdWrites', keys: steps.flatMap(({ keys }) => keys.slice(0, 1)) });
  const running = new Steps(victim, steps);
  await running.reachAll();
  if (last !== undefined) {
    await command(victim, { do: 'holdWrites', keys: [last] });
    await command(victim, { do: 'endWrites', keys: steps.flatMap(({ keys }) => keys.slice(-1)) });
    await untilHeld(victim, last);
  }
  await place.kill();
  await running.ended();
  await checkEach(
    steps.map(({ title, check }) => [title, check] as const),
    (check) => check(),
  );
}

// 1. The trash

/** Where something is: where it was made, in the trash, or nowhere. */
type Whereabouts = 'open' | 'trash' | 'gone';

interface TrashFacts {
  group: string;
  pad: string;
  /** The folder into which a pad is restored. */
  other: string;
}

interface TrashCut {
  before: string;
  keys(facts: TrashFacts): string[];
  end: Whereabouts;
  /** It is the last write before the job is taken off the list. */
  isLast?: true;
}

interface TrashWork {
  title: string;
  what: 'pad' | 'group';
  from: 'open' | 'trash';
  /** Method, path and body of the call. */
  call(id: string, facts: TrashFacts): [method: string, path: string, body?: object];
  cuts: TrashCut[];
}

const noteOfPad = ({ pad }: TrashFacts): string => `mypads:jobqueue:deletePad:${pad}`;
const noteOfGroup = ({ group }: TrashFacts): string => `mypads:jobqueue:deleteGroup:${group}`;
const padRecord = ({ pad }: TrashFacts): string => `mypads:pad:${pad}`;
const groupRecord = ({ group }: TrashFacts): string => `mypads:group:${group}`;
const answered = (end: Whereabouts): TrashCut => ({
  before: 'anything after the answer',
  keys: () => [],
  end,
});

const trashWork: TrashWork[] = [
  {
    title: 'a pad that is deleted',
    what: 'pad',
    from: 'open',
    call: (pad) => ['DELETE', `pad/${pad}`],
    cuts: [
      { before: 'its note is stored', keys: (facts) => [noteOfPad(facts)], end: 'trash' },
      { before: 'its folder does not list it', keys: (facts) => [groupRecord(facts)], end: 'trash' },
      { before: 'its record is removed', keys: (facts) => [padRecord(facts)], end: 'trash', isLast: true },
      answered('trash'),
    ],
  },
  {
    title: 'a folder that is deleted',
    what: 'group',
    from: 'open',
    call: (group) => ['DELETE', `group/${group}`],
    cuts: [
      { before: 'its note is stored', keys: (facts) => [noteOfGroup(facts)], end: 'open' },
      { before: 'its record is removed', keys: (facts) => [groupRecord(facts)], end: 'open' },
      answered('trash'),
    ],
  },
  {
    title: 'a pad that is restored',
    what: 'pad',
    from: 'trash',
    call: (pad, { other }) => ['POST', `trash/${pad}/restore`, { group: other }],
    cuts: [
      { before: 'its record is stored', keys: (facts) => [padRecord(facts)], end: 'open' },
      { before: 'its folder lists it', keys: ({ other }) => [`mypads:group:${other}`], end: 'open' },
      { before: 'its note is removed', keys: (facts) => [noteOfPad(facts)], end: 'open', isLast: true },
      answered('open'),
    ],
  },
  {
    title: 'a folder that is restored',
    what: 'group',
    from: 'trash',
    call: (group) => ['POST', `trash/${group}/restore`, {}],
    cuts: [
      { before: 'its record is stored', keys: (facts) => [groupRecord(facts)], end: 'trash' },
      { before: 'its note is removed', keys: (facts) => [noteOfGroup(facts)], end: 'open' },
      answered('open'),
    ],
  },
  {
    title: 'a pad that is deleted for good',
    what: 'pad',
    from: 'trash',
    call: (pad) => ['DELETE', `trash/${pad}`],
    cuts: [
      { before: 'its note says so', keys: (facts) => [noteOfPad(facts)], end: 'gone' },
      {
        before: 'its note is removed',
        keys: (facts) => [noteOfPad(facts), noteOfPad(facts)],
        end: 'gone',
        isLast: true,
      },
      answered('gone'),
    ],
  },
  {
    title: 'a folder that is deleted for good',
    what: 'group',
    from: 'trash',
    call: (group) => ['DELETE', `trash/${group}`],
    cuts: [
      { before: 'its note says so', keys: (facts) => [noteOfGroup(facts)], end: 'gone' },
      { before: 'its pads are closed', keys: (facts) => [noteOfPad(facts)], end: 'gone' },
      {
        before: 'its note is removed',
        keys: (facts) => [noteOfGroup(facts), noteOfGroup(facts)],
        end: 'gone',
        isLast: true,
      },
      answered('gone'),
    ],
  },
];

const textOf = (pad: string): string => `The text of ${pad}`;

/** A pad with a link in a folder, and what people see of both after the end of the process. */
class TrashedThing {
  private constructor(
    private readonly place: Place,
    private readonly owner: Person,
    private readonly what: 'pad' | 'group',
    readonly facts: TrashFacts,
    private readonly link: string,
  ) {}

  static async make(place: Place, owner: Person, what: 'pad' | 'group'): Promise<TrashedThing> {
    const { victim } = place;
    const fixture = createFixture(victim);
    const [group, other] = [await fixture.group(owner), await fixture.group(owner)];
    const pad = await fixture.pad(owner, group);
    await hostApi(victim, 'setText', { padID: pad, text: `${textOf(pad)}\n` });
    const { secret } = await fixture.link(owner, `pad/${pad}`, { role: 'writer' });
    return new TrashedThing(place, owner, what, { group, pad, other }, secret);
  }

  get id(): string {
    return this.facts[this.what];
  }

  async call(method: string, address: string, body?: object, at = this.place.after): Promise<number> {
    const { token } = this.owner;
    return (await at.api(method, address, { token, ...(body && { body }) })).status;
  }

  async isInTrash(): Promise<boolean> {
    const { after } = this.place;
    const { body } = await after.api('GET', 'trash?limit=500', { token: this.owner.token });
    return (body as { entries: { _id: string }[] }).entries.some(({ _id }) => _id === this.id);
  }

  private async lists(): Promise<{ groups: Record<string, { pads: string[] }>; pads: object }> {
    const { body } = await this.place.after.api('GET', 'group', { token: this.owner.token });
    return (body as { value: { groups: Record<string, { pads: string[] }>; pads: object } }).value;
  }

  /** In one folder, with its text, for its manager and for somebody with its link. */
  async expectOpen(): Promise<void> {
    const { after } = this.place;
    const { pad } = this.facts;
    const { groups, pads } = await this.lists();
    expect(pads, 'the list of pads').to.have.property(pad);
    const listing = Object.values(groups).filter((group) => group.pads.includes(pad));
    expect(listing, 'folders that list it').to.have.length(1);
    expect(await this.isInTrash(), 'in the trash').to.equal(false);
    await until('the pad is not kept by the killed process any more', async () => {
      const { status } = await after.get(`/p/${pad}/export/txt`, { cookie: this.owner.cookie });
      return status === 200;
    });
    const guest = (await createFixture(after).openLink(this.link)).cookie ?? '';
    for (const cookie of [this.owner.cookie, guest]) {
      const client = await PadClient.connect(after, cookie);
      expect(await client.join(pad), 'editor').to.equal('write');
      expect(client.text).to.include(textOf(pad));
      client.close();
    }
  }

  /** Nobody gets in, and no list has it. */
  async expectClosed(): Promise<void> {
    const { after } = this.place;
    const { pad } = this.facts;
    const { groups, pads } = await this.lists();
    expect(pads, 'the list of pads').to.not.have.property(pad);
    expect(Object.values(groups).flatMap((group) => group.pads)).to.not.include(pad);
    // Not for all of them: only some links that do not exist may be tried.
    if (this.what === 'pad') {
      const opened = await after.api('POST', 'links/open', { body: { secret: this.link } });
      expect(opened.status, 'its link').to.equal(404);
    }
    for (const cookie of [this.owner.cookie, '']) {
      for (const ending of ['', '/timeslider', '/export/txt', '/export/etherpad'])
        expect((await after.get(`/p/${pad}${ending}`, { cookie })).status, ending).to.equal(404);
      const client = await PadClient.connect(after, cookie);
      expect(await client.join(pad), 'editor').to.equal('refused');
      client.close();
    }
  }

  private async expectGone(): Promise<void> {
    const { pad, group } = this.facts;
    const { keysWith } = this.place;
    const removed = this.what === 'pad' ? [pad] : [pad, group];
    // The list of former pads has their ids in its value only.
    await until(`nothing is left of ${removed}`, async () => (await keysWith(removed)).length === 0);
    await this.expectClosed();
    expect(await this.isInTrash(), 'in the trash').to.equal(false);
  }

  /** It is there, and what people do next works. */
  async expectAt(end: Whereabouts): Promise<void> {
    if (end === 'gone') return this.expectGone();
    if (end === 'open') {
      await until('it is not in the trash', async () => !(await this.isInTrash()));
      await this.expectOpen();
      expect(await this.call('DELETE', `${this.what}/${this.id}`), 'deleting it').to.equal(200);
    }
    await until('it is in the trash', () => this.isInTrash());
    await this.expectClosed();
    expect(await this.call('POST', `trash/${this.id}/restore`, {}), 'restoring it').to.equal(200);
    await this.expectOpen();
  }
}

type Cuts = (work: TrashWork) => TrashCut[];

async function trashSteps(place: Place, cutsOf: Cuts): Promise<Step[]> {
  const steps: Step[] = [];
  // Somebody of its own for each kind of work, because only some calls of a person are answered at a time.
  const owners = new Map<TrashWork, Person>();
  for (const work of trashWork) owners.set(work, await createFixture(place.victim).person('owner'));
  const all = [...owners].flatMap(([work, owner]) => cutsOf(work).map((cut) => ({ ...work, ...cut, owner })));
  for (const { title, what, from, call, before, keys, end, owner } of all) {
    const thing = await TrashedThing.make(place, owner, what);
    const { id, facts } = thing;
    if (from === 'trash')
      expect(await thing.call('DELETE', `${what}/${id}`, undefined, place.victim)).to.equal(200);
    const [method, address, body] = call(id, facts);
    steps.push({
      title: `${title}, killed before ${before}`,
      keys: keys(facts),
      begin: () => thing.call(method, address, body, place.victim),
      check: () => thing.expectAt(end),
    });
  }
  return steps;
}

// 2. Exports

/** A person with a folder of three pads who exports it. */
export class ExportingPerson {
  key = '';

  private constructor(
    private readonly place: Place,
    readonly person: Person,
    readonly group: string,
    readonly pads: string[],
  ) {}

  static async make(place: Place): Promise<ExportingPerson> {
    const fixture = createFixture(place.victim);
    const person = await fixture.person('exporter');
    const group = await fixture.group(person, { name: 'Class' });
    const pads: string[] = [];
    for (const name of ['One', 'Two', 'Three']) {
      const pad = await fixture.pad(person, group, { name });
      await hostApi(place.victim, 'setText', { padID: pad, text: `${textOf(pad)}\n` });
      pads.push(pad);
    }
    return new ExportingPerson(place, person, group, pads);
  }

  /** What this person has asked for. */
  get record(): string {
    return `mypads:exports:user:${this.person.id}`;
  }

  async ask(at = this.place.victim): Promise<number> {
    const body = { group: this.group, formats: ['text'] };
    const answer = await at.api('POST', 'exports', { token: this.person.token, body });
    this.key = (answer.body as { key?: string }).key ?? '';
    return answer.status;
  }

  async list(): Promise<ExportAnswer[]> {
    const { body } = await this.place.after.api('GET', 'exports', { token: this.person.token });
    return (body as { value: ExportAnswer[] }).value;
  }

  /** There is none, and another one can be made at once. */
  async expectNone(): Promise<void> {
    expect(await this.list()).to.deep.equal([]);
    expect(await this.ask(this.place.after), 'asking again').to.equal(200);
    await this.expectReady();
  }

  async untilReady(): Promise<void> {
    await until('the export is ready', async () => (await this.list())[0]?.state === 'ready');
  }

  /** There is one export, which is ready or becomes so, and its file has all pads. */
  async expectReady(): Promise<void> {
    await this.untilReady();
    const [found, ...others] = await this.list();
    expect(others).to.deep.equal([]);
    expect(found).to.deep.include({ state: 'ready', pads: 3, leftOut: 0 });
    const files = await this.download(found?._id ?? '');
    for (const [index, name] of ['One', 'Two', 'Three'].entries())
      expect(String(files.get(`Class/${name}.txt`))).to.include(textOf(this.pads[index] ?? ''));
  }

  private async download(id: string): Promise<Map<string, Buffer>> {
    const ask = () =>
      fetch(`${this.place.after.url}/mypads/api/exports/${id}/file`, {
        headers: { authorization: `Bearer ${this.person.token}` },
      });
    let answer = await ask();
    await until('the file is there', async () => {
      if (answer.status === 503) answer = await ask();
      return answer.status !== 503;
    });
    expect(answer.status).to.equal(200);
    return readZip(Buffer.from(await answer.arrayBuffer()));
  }
}

/** The files of exports that the process with this number has on the disk. */
export function exportFilesOf({ folder }: RunningEtherpad, pid: number): string[] {
  const own = path.join(folder.root, 'var', 'ep_mypads', 'exports', String(pid));
  return existsSync(own) ? readdirSync(own) : [];
}

async function exportSteps(place: Place): Promise<Step[]> {
  const [unstored, half, made] = [
    await ExportingPerson.make(place),
    await ExportingPerson.make(place),
    await ExportingPerson.make(place),
  ];
  return [
    {
      title: 'an export, killed before it is stored',
      keys: [unstored.record],
      begin: () => unstored.ask(),
      check: () => unstored.expectNone(),
    },
    {
      title: 'an export, killed in the middle of its file',
      keys: [`read:${half.pads[1]}`],
      begin: () => half.ask(),
      check: () => half.expectReady(),
    },
    {
      title: 'an export, killed before it is ready',
      keys: [`read:${made.pads[2]}`, made.record],
      begin: () => made.ask(),
      check: () => made.expectReady(),
    },
  ];
}

// 3. Imports

/** A person who imports a ZIP with two folders, whose pads have names that nobody else's have. */
export class ImportingPerson {
  key = '';

  private constructor(
    private readonly place: Place,
    readonly person: Person,
    /** The beginning of all ids. */
    readonly name: string,
    private readonly zip: Buffer,
  ) {}

  static async make(place: Place): Promise<ImportingPerson> {
    const person = await createFixture(place.victim).person('importer');
    const name = person.login;
    const files = Object.fromEntries(
      ['a', 'b'].flatMap((folder) =>
        ['one', 'two'].map((pad) => [
          `${name}-${folder}/${name}-${folder}-${pad}.txt`,
          `Text ${folder} ${pad} of ${name}`,
        ]),
      ),
    );
    return new ImportingPerson(place, person, name, await zipOf(files));
  }

  get record(): string {
    return `mypads:padimport:${this.person.id}`;
  }

  async send(at = this.place.victim): Promise<number> {
    const answer = await fetch(`${at.url}/mypads/api/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.person.token}`, 'content-type': 'application/zip' },
      body: new Uint8Array(this.zip),
    });
    this.key = ((await answer.json()) as { key?: string }).key ?? '';
    return answer.status;
  }

  async progress(at = this.place.after): Promise<ImportProgress> {
    const { status, body } = await at.api('GET', `imports/${this.key}`, { token: this.person.token });
    expect(status).to.equal(200);
    return body as ImportProgress;
  }

  async untilEnded(): Promise<ImportProgress> {
    let progress = await this.progress();
    await until('the import has ended', async () => {
      progress = await this.progress();
      return progress.state !== 'running';
    });
    return progress;
  }

  /** By name, the pads that the person sees in folders of these names, with their folder and their text. */
  async pads(): Promise<Record<string, string[]>> {
    const { after } = this.place;
    const { body } = await after.api('GET', 'group', { token: this.person.token });
    const { groups, pads } = (
      body as {
        value: {
          groups: Record<string, { name: string; pads: string[] }>;
          pads: Record<string, { name: string }>;
        };
      }
    ).value;
    const found: Record<string, string[]> = {};
    for (const group of Object.values(groups)) {
      for (const id of group.pads) {
        const { body: text } = await after.get(`/p/${id}/export/txt`, { cookie: this.person.cookie });
        const name = pads[id]?.name ?? '';
        found[name] = [...(found[name] ?? []), `${group.name}: ${String(text).trim()}`];
      }
    }
    return found;
  }

  /** Everything is there `times` times, and the editor has no pad that no folder lists. */
  async expectPads(times: number): Promise<void> {
    const wanted = ['a', 'b'].flatMap((folder) =>
      ['one', 'two'].map((pad) => [
        `${this.name}-${folder}-${pad}`,
        Array.from({ length: times }, () => `${this.name}-${folder}: Text ${folder} ${pad} of ${this.name}`),
      ]),
    );
    expect(await this.pads()).to.deep.equal(Object.fromEntries(times === 0 ? [] : wanted));
    const keys = await this.place.keysWith([`${this.name}-`]);
    const ofEditor = keys.filter((key) => new RegExp(`^pad:${this.name}-[^:]*$`).test(key));
    expect(ofEditor, 'pads of the editor').to.have.length(4 * times);
  }

  /** Nothing was made, and the files can be sent again. */
  async expectNone(): Promise<void> {
    await this.expectPads(0);
    expect(await this.send(this.place.after), 'sending it again').to.equal(200);
    await this.expectDone();
  }

  async expectDone(): Promise<void> {
    const { state, failed, pads, groups } = await this.untilEnded();
    expect([state, failed.length, pads.length, groups.length]).to.deep.equal(['done', 0, 4, 2]);
    await this.expectPads(1);
  }
}

/** Two imports run at a time. */
async function importSteps(place: Place): Promise<Step[]> {
  const [unstored, folder, pad] = [
    await ImportingPerson.make(place),
    await ImportingPerson.make(place),
    await ImportingPerson.make(place),
  ];
  return [
    {
      title: 'an import, killed before it is stored',
      keys: [unstored.record],
      begin: () => unstored.send(),
      check: () => unstored.expectNone(),
    },
    {
      title: 'an import, killed before its second folder is stored',
      keys: [`mypads:group:${folder.name}-b`],
      begin: () => folder.send(),
      check: () => folder.expectDone(),
    },
    {
      title: 'an import, killed before its second pad is listed',
      keys: [`mypads:pad:${pad.name}-a-two`, `mypads:group:${pad.name}-a`],
      begin: () => pad.send(),
      check: () => pad.expectDone(),
    },
  ];
}

// 4. Where they are killed

/** The list of jobs: work that has begun and not ended. */
const jobs = 'mypads:jobs';

/** Each step is stopped before another write of its own records, or was answered. At most 16 calls run at a time. */
export async function interruptTrash(place: Place): Promise<void> {
  await interrupt(place, await trashSteps(place, ({ cuts }) => cuts));
}

/** The same for exports and imports. */
export async function interruptTransfers(place: Place): Promise<void> {
  await interrupt(place, [...(await exportSteps(place)), ...(await importSteps(place))]);
}

/** Nothing has begun. */
export async function interruptBeforeJobs(place: Place): Promise<void> {
  const asked = await ExportingPerson.make(place);
  const sent = await ImportingPerson.make(place);
  const before = 'the job is stored';
  const steps = await trashSteps(place, ({ cuts, from }) =>
    cuts.some(({ isLast }) => isLast) ? [{ before, keys: () => [jobs], end: from }] : [],
  );
  await interrupt(place, [
    ...steps,
    {
      title: `an export, killed before ${before}`,
      keys: [jobs],
      begin: () => asked.ask(),
      check: () => asked.expectNone(),
    },
    {
      title: `an import, killed before ${before}`,
      keys: [jobs],
      begin: () => sent.send(),
      check: () => sent.expectNone(),
    },
  ]);
}

/** Everything is done, and the jobs are still on the list. */
export async function interruptBeforeJobsEnd(place: Place): Promise<void> {
  const made = await ExportingPerson.make(place);
  const sent = await ImportingPerson.make(place);
  const before = 'the job is taken off the list';
  const steps = await trashSteps(place, ({ cuts }) =>
    cuts.filter(({ isLast }) => isLast).map((cut) => ({ ...cut, before })),
  );
  await interrupt(
    place,
    [
      ...steps,
      {
        title: `an export, killed before ${before}`,
        keys: [`read:${made.pads[2]}`, made.record],
        begin: () => made.ask(),
        check: () => made.expectReady(),
      },
      {
        title: `an import, killed before ${before}`,
        keys: [`mypads:pad:${sent.name}-b-two`, sent.record],
        begin: () => sent.send(),
        check: () => sent.expectDone(),
      },
    ],
    jobs,
  );
}
