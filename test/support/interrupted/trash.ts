/** What a killed process leaves of work at the trash. */
import { expect } from 'chai';
import { hostApi } from '../hostApi';
import { createFixture, type Person } from '../hostFixture';
import { PadClient } from '../socketClient';
import { until } from '../waiting';
import { type Place, type Step, textOf } from './steps';

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
      { before: 'its note is stored', keys: (facts) => [noteOfPad(facts)], end: 'open' },
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
      { before: 'its record is stored', keys: (facts) => [padRecord(facts)], end: 'trash' },
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
      { before: 'its note says so', keys: (facts) => [noteOfPad(facts)], end: 'trash' },
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
      { before: 'its note says so', keys: (facts) => [noteOfGroup(facts)], end: 'trash' },
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

  /** Asks again while the server, which has just started, is too busy to answer. */
  async isInTrash(): Promise<boolean> {
    const { after } = this.place;
    let entries: { _id: string }[] = [];
    await until('the list of the trash', async () => {
      const { status, body } = await after.api('GET', 'trash?limit=500', { token: this.owner.token });
      if (status === 200) ({ entries } = body as { entries: { _id: string }[] });
      return status === 200;
    });
    return entries.some(({ _id }) => _id === this.id);
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
      const client = await PadClient.writer(after, cookie, pad);
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

/** Work at the trash, each piece of it once for each of its cuts. */
export async function trashSteps(place: Place, cutsOf: Cuts): Promise<Step[]> {
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
