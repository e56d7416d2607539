/**
 * Each rule about entering a pad, on each route to a pad, in a real Etherpad with real sockets. test/unit/permissions
 * has every cell of the rules. So some people try only one way of each kind here, except on another Etherpad or with
 * `ROUTES=all`.
 */
import { expect } from 'chai';
import type { Credentials, Person } from '../support/hostFixture';
import { type Choice, outcomesFor, type Target, tryRoutes } from '../support/padRoutes';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';

const actors = [
  'guest',
  'guest unlocked',
  'user',
  'user unlocked',
  'reader',
  'reader unlocked',
  'member',
  'member unlocked',
  'group admin',
  'pad reader',
  'pad writer',
] as const;
type Actor = (typeof actors)[number];

/** The pad alone is shared with them. */
const alone: Actor[] = ['pad reader', 'pad writer'];
const outside: Actor[] = ['guest', 'guest unlocked', 'user', 'user unlocked'];

interface Row {
  title: string;
  group?: Record<string, unknown>;
  pad?: Record<string, unknown>;
  /** Who may enter; the others are refused. */
  enters: readonly Actor[];
  /** Default: `write`. */
  mode?: 'read';
  /** Who of them may only read, whatever the mode. */
  reads?: Actor[];
  /** Whose password opens the pad. */
  lock?: 'group' | 'pad';
}

const all = Boolean(process.env.ETHERPAD) || process.env.ROUTES === 'all';
/** Those who try every way. */
const thorough: Actor[] = ['guest', 'reader', 'member'];
/** The rows for which signed-in-only mode is tried. It makes no difference there what a pad is. */
const signedInOnly = ['public', 'private by its own setting, in a private group', 'restricted and readonly'];

const people = actors.filter((actor) => !outside.includes(actor));
const groupSecret = { visibility: 'private', password: 'secret of the group' };
const padSecret = { visibility: 'private', password: 'secret of the pad' };
const unlocked: Actor[] = ['guest unlocked', 'user unlocked'];
const readers: Actor[] = ['reader', 'reader unlocked', 'pad reader'];

const rows: Row[] = [
  { title: 'public', group: { visibility: 'public' }, enters: actors },
  { title: 'public by its own setting', pad: { visibility: 'public' }, enters: actors },
  {
    title: 'private, as its group',
    group: groupSecret,
    enters: [...unlocked, ...people],
    reads: ['reader', 'pad reader'],
    lock: 'group',
  },
  {
    title: 'private by its own setting',
    pad: padSecret,
    enters: [...unlocked, 'reader unlocked', 'member unlocked', 'group admin', ...alone],
    reads: ['pad reader'],
    lock: 'pad',
  },
  {
    title: 'private by its own setting, in a private group',
    group: groupSecret,
    pad: padSecret,
    enters: [...unlocked, 'reader unlocked', 'member unlocked', 'group admin', ...alone],
    reads: ['pad reader'],
    lock: 'pad',
  },
  { title: 'restricted', enters: people, reads: readers },
  {
    title: 'restricted by its own setting, in a public group',
    group: { visibility: 'public' },
    pad: { visibility: 'restricted' },
    enters: people,
    reads: readers,
  },
  {
    title: 'restricted by its own setting, in an unlocked group',
    group: groupSecret,
    pad: { visibility: 'restricted' },
    enters: people,
    reads: readers,
    lock: 'group',
  },
  {
    title: 'public and readonly',
    group: { visibility: 'public', readonly: true },
    enters: actors,
    mode: 'read',
  },
  {
    title: 'private and readonly',
    group: { ...groupSecret, readonly: true },
    enters: [...unlocked, ...people],
    mode: 'read',
    lock: 'group',
  },
  {
    title: 'private by its own setting, readonly',
    pad: { ...padSecret, readonly: true },
    enters: [...unlocked, 'reader unlocked', 'member unlocked', 'group admin', ...alone],
    mode: 'read',
    lock: 'pad',
  },
  { title: 'restricted and readonly', pad: { readonly: true }, enters: people, mode: 'read' },
  {
    title: 'writable in a readonly group',
    group: { readonly: true },
    pad: { readonly: false },
    enters: people,
    reads: readers,
  },
  { title: 'in an archived group', group: { archived: true }, enters: people, reads: readers },
];

interface Scene {
  target: Target;
  group: string;
}

describe('every way into a pad (C3, C4)', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad();
  let member: Person;
  let reader: Person;
  let outsider: Person;
  let padReader: Person;
  let padWriter: Person;
  const scenes = new Map<Row, Scene>();

  before(async () => {
    member = await fixture.person('member');
    reader = await fixture.person('reader');
    outsider = await fixture.person('outsider');
    padReader = await fixture.person('padreader');
    padWriter = await fixture.person('padwriter');
    const open = await fixture.pad(owner, await fixture.group(owner, { visibility: 'public' }));
    for (const row of rows) {
      const group = await fixture.group(owner, { name: row.title.slice(0, 40), ...row.group });
      await fixture.invite(owner, group, [member.login]);
      await fixture.change(owner, `group/${group}/members`, { readers: [reader.login] });
      const pad = await fixture.pad(owner, group, row.pad);
      await fixture.sharePad(owner, pad, 'reader', [padReader.login]);
      await fixture.sharePad(owner, pad, 'writer', [padWriter.login]);
      const readOnlyId = await PadClient.readOnlyIdOf(etherpad, owner.cookie, pad);
      scenes.set(row, { target: { pad, readOnlyId, open }, group });
    }
  });

  /** The credentials of this actor. An "unlocked" one has proved the password of the row. */
  async function browserOf(actor: Actor, row: Row, { target, group }: Scene): Promise<Credentials> {
    const accounts: Record<string, Person> = {
      user: outsider,
      reader,
      member,
      'pad reader': padReader,
      'pad writer': padWriter,
    };
    const account = accounts[actor.replace(' unlocked', '')] ?? owner;
    const who: Credentials = actor.startsWith('guest') ? {} : await fixture.signIn(account.login);
    if (!actor.endsWith('unlocked')) return who;
    if (row.lock === 'group') return fixture.unlock(`group/${group}`, groupSecret.password, who);
    if (row.lock === 'pad') return fixture.unlock(`pad/${target.pad}`, padSecret.password, who);
    return who;
  }

  for (const row of rows) {
    for (const actor of actors) {
      if (actor.endsWith('unlocked') && !row.lock) continue;
      const mode = row.reads?.includes(actor) ? 'read' : (row.mode ?? 'write');
      const expected = row.enters.includes(actor) ? mode : 'refused';
      const outcome = { write: 'enters', read: 'only reads', refused: 'is refused' }[expected];
      const choice: Choice = all || thorough.includes(actor) ? 'every way' : 'main ways';
      it(`${actor} ${outcome} on ${choice}: ${row.title}`, async () => {
        const scene = scenes.get(row) as Scene;
        const who = await browserOf(actor, row, scene);
        const outcomes = await tryRoutes(etherpad, scene.target, who, choice);
        expect(outcomes).to.deep.equal(outcomesFor(etherpad, expected, choice));
      });
    }
  }

  describe('in the signed-in-only mode', () => {
    before(() => fixture.configure('allPadsPublicsAuthentifiedOnly', true));
    after(() => fixture.configure('allPadsPublicsAuthentifiedOnly', false));

    for (const row of rows.filter(({ title }) => all || signedInOnly.includes(title))) {
      for (const actor of ['guest', 'user', 'reader', 'member', 'group admin'] as const) {
        const expected = actor === 'guest' ? 'refused' : (row.mode ?? 'write');
        const outcome = { write: 'enters', read: 'only reads', refused: 'is refused' }[expected];
        it(`${actor} ${outcome}: ${row.title}`, async () => {
          const scene = scenes.get(row) as Scene;
          const who = await browserOf(actor, row, scene);
          expect(await tryRoutes(etherpad, scene.target, who)).to.deep.equal(outcomesFor(etherpad, expected));
        });
      }
    }
  });
});
