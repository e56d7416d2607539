/**
 * Random changes of rights, one after the other, while editors are open: nobody writes after their right has gone. A
 * new name of a folder or a pad closes no editor.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Call } from '../support/etherpad';
import { hostApi } from '../support/hostApi';
import { type Credentials, type Fixture, type Person, password, signInAsAdmin } from '../support/hostFixture';
import { startSmtpServer, type TestSmtpServer } from '../support/smtpServer';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';
import { succeeds, until } from '../support/waiting';

/** Number of sequences. `SEED` and `RUNS` choose others, or more of them. The seed is part of a failure's message. */
const several = Boolean(process.env.SEVERAL);
const runs = Number(process.env.RUNS ?? (several ? 3 : 6));
const seed = Number(process.env.SEED ?? (several ? 2027 : 2026));

const people = ['owner', 'member', 'stranger'] as const;
const actors = [...people, 'guest'] as const;
type Actor = (typeof actors)[number];
type Standing = 'write' | 'read' | 'refused';

interface World {
  people: Record<(typeof people)[number], Person>;
  /** What each browser has: a session that may have ended, or what a guest has proved. */
  browsers: Record<Actor, Credentials>;
  editors: Map<Actor, { client: PadClient; standing: Standing }>;
  group: string;
  /** A folder in which only the owner is. */
  elsewhere: string;
  pad: string;
  /** The password of the folder, while it is private. */
  password?: string | undefined;
  isSignedIn: Set<Actor>;
  isActive: boolean;
}

describe('random changes of rights', function () {
  this.timeout(Math.max(240_000, runs * 60_000));
  const { etherpad, fixture, owner } = useEtherpad();
  let others: Record<'member' | 'stranger', Person>;
  let admin = '';
  let passwords = 0;
  let invitations = 0;
  let isOnlyForSignedIn = false;
  let mail: TestSmtpServer;

  before(async () => {
    others = { member: await fixture.person('member'), stranger: await fixture.person('stranger') };
    admin = await signInAsAdmin(etherpad);
    mail = await startSmtpServer();
    const settings = { SMTPHost: '127.0.0.1', SMTPPort: mail.port, SMTPTLS: false, mailWhenAdded: false };
    // Several processes have a preset address.
    const address = process.env.SEVERAL ? {} : { rootUrl: 'http://127.0.0.1' };
    for (const [key, value] of Object.entries({ ...settings, ...address, SMTPEmailFrom: 'a@example.org' }))
      await administer(`configuration/${key}`, { value });
  });
  after(async () => {
    await mail.close();
    const address = process.env.SEVERAL ? {} : { rootUrl: '' };
    for (const [key, value] of Object.entries({ SMTPHost: '', mailWhenAdded: true, ...address }))
      await administer(`configuration/${key}`, { value });
  });

  const changeGroup = (world: World, body: Record<string, unknown>) =>
    fixture.change(world.people.owner, `group/${world.group}`, body);
  /** With one of the visibilities that need no password. */
  async function showGroup(world: World, visibility: string): Promise<void> {
    world.password = undefined;
    await changeGroup(world, { visibility });
  }
  const changePad = (world: World, body: Record<string, unknown>) =>
    fixture.change(world.people.owner, `pad/${world.pad}`, body);

  /** As server administrator, with a session that lasts for all sequences. */
  async function administer(path: string, body: Record<string, unknown>): Promise<void> {
    const { status } = await etherpad.api('PUT', path, { token: admin, body });
    expect(status, path).to.equal(200);
  }

  async function signIn(world: World, who: (typeof people)[number]): Promise<void> {
    if (world.isSignedIn.has(who) || (who === 'stranger' && !world.isActive)) return;
    world.browsers[who] = await fixture.signIn(world.people[who].login);
    world.isSignedIn.add(who);
  }

  async function signOut(world: World, who: (typeof people)[number]): Promise<void> {
    if (!world.isSignedIn.delete(who)) return;
    await etherpad.api('POST', 'auth/logout', { token: world.browsers[who].token });
  }

  async function unlock(world: World, who: 'guest' | 'stranger'): Promise<void> {
    if (world.password === undefined || (who === 'guest' && isOnlyForSignedIn)) return;
    if (who === 'stranger' && !world.isSignedIn.has(who)) return;
    world.browsers[who] = await fixture.unlock(`group/${world.group}`, world.password, world.browsers[who]);
  }

  async function giveLink(world: World, role: string): Promise<void> {
    const { secret } = await fixture.link(world.people.owner, `group/${world.group}`, { role });
    world.browsers.guest = await fixture.openLink(secret, world.browsers.guest);
  }

  const sharePad = ({ pad, people: { owner: by, stranger } }: World, role: string) =>
    fixture.sharePad(by, pad, role, [stranger.login]);

  const isThere = (world: World): boolean => world.isActive && world.isSignedIn.has('stranger');

  /** The stranger asks for the folder or the pad, if they may, and the owner gives them this role. */
  async function grantRequest(world: World, path: string, role: string): Promise<void> {
    const [asking, answering] = [world.browsers.stranger.token, world.people.owner.token];
    if (!isThere(world)) return;
    const asked = await etherpad.api('POST', `${path}/requests`, { token: asking, body: {} });
    if (asked.status !== 200) return;
    // Asking is answered before the request is stored. It is not stored for somebody who has this right already.
    const open = async () => {
      const { body } = await etherpad.api('GET', 'requests', { token: answering });
      return (body as { value: { _id: string; group: { _id: string } }[] }).value.find(({ group }) =>
        [world.group, world.elsewhere].includes(group._id),
      );
    };
    for (let tries = 0; tries < 20; tries += 1, await wait(50)) {
      const request = await open();
      if (request === undefined) continue;
      const call = { token: answering, body: { role } };
      expect((await etherpad.api('PUT', `requests/${request._id}`, call)).status).to.equal(200);
      return;
    }
  }

  /**
   * The owner invites an address to the folder, or to the `pad` in whichever folder it is. It becomes the address of
   * the stranger, who accepts.
   */
  async function acceptInvitation(world: World, role: string, pad?: string): Promise<void> {
    if (!isThere(world)) return;
    const { login } = world.people.stranger;
    const by = world.people.owner.token;
    invitations += 1;
    const email = `${login}.${invitations}@example.org`;
    const body = { loginsOrEmails: [email], role, ...(pad && { pad }) };
    const shown = pad && (await etherpad.api('GET', `pad/${pad}`, { token: by })).body;
    const { group } = shown ? (shown as { value: { group: string } }).value : world;
    await succeed('POST', `group/${group}/invitations`, { token: by, body });
    await until('the mail', () => mail.received.some(({ to }) => to.includes(email)));
    const { text = '' } = mail.received.find(({ to }) => to.includes(email)) ?? {};
    const invitation = /\?\/invitation\/([\w-]+)/.exec(text)?.[1] ?? '';
    const { token } = world.browsers.stranger;
    await succeed('PUT', `user/${login}`, { token, body: { email, currentPassword: password } });
    await succeed('POST', 'invitations/accept', { token, body: { token: invitation } });
  }

  async function succeed(method: string, path: string, call: Call): Promise<void> {
    const { status, body } = await etherpad.api(method, path, call);
    expect(status, `${method} ${path} ${JSON.stringify(body)}`).to.equal(200);
  }

  async function setActive(world: World, active: boolean): Promise<void> {
    if (world.isActive === active) return;
    world.isActive = active;
    await administer(`user/${world.people.stranger.login}`, { active });
    if (!active) world.isSignedIn.delete('stranger');
  }

  async function setOnlySignedIn(value: boolean): Promise<void> {
    isOnlyForSignedIn = value;
    await administer('configuration/allPadsPublicsAuthentifiedOnly', { value });
  }

  const actions = {
    'the folder is restricted': (world) => showGroup(world, 'restricted'),
    'the folder is public': (world) => showGroup(world, 'public'),
    'the folder gets a password': async (world) => {
      passwords += 1;
      world.password = `password ${passwords}`;
      await changeGroup(world, { visibility: 'private', password: world.password });
    },
    'a guest proves the password': (world) => unlock(world, 'guest'),
    'the stranger proves the password': (world) => unlock(world, 'stranger'),
    'the folder is read-only': (world) => changeGroup(world, { readonly: true }),
    'the folder is writable': (world) => changeGroup(world, { readonly: false }),
    'the pad is read-only': (world) => changePad(world, { readonly: true }),
    'the pad is writable': (world) => changePad(world, { readonly: false }),
    'the pad is as its folder': (world) => changePad(world, { readonly: null, visibility: null }),
    'the pad is public': (world) => changePad(world, { visibility: 'public' }),
    'the pad is restricted': (world) => changePad(world, { visibility: 'restricted' }),
    'the member is invited': ({ people: { owner: by, member }, group }) =>
      fixture.invite(by, group, [member.login]),
    'a guest gets a link for writing': (world) => giveLink(world, 'writer'),
    'a guest gets a link for reading': (world) => giveLink(world, 'reader'),
    'the pad is shared with the stranger, to write': (world) => sharePad(world, 'writer'),
    'the pad is shared with the stranger, to read': (world) => sharePad(world, 'reader'),
    'the share with the stranger ends': async ({ pad, people: { owner: by, stranger } }) => {
      await etherpad.api('DELETE', `pad/${pad}/people/${stranger.login}`, { token: by.token });
    },
    'the stranger asks for the folder, and may read': (world) =>
      grantRequest(world, `group/${world.group}`, 'reader'),
    'the stranger asks for the folder, and may write': (world) =>
      grantRequest(world, `group/${world.group}`, 'writer'),
    'the stranger asks for the pad, and may read': (world) =>
      grantRequest(world, `pad/${world.pad}`, 'reader'),
    'the stranger asks for the pad, and may write': (world) =>
      grantRequest(world, `pad/${world.pad}`, 'writer'),
    'the stranger accepts an invitation to read': (world) => acceptInvitation(world, 'reader'),
    'the stranger accepts an invitation to write': (world) => acceptInvitation(world, 'writer'),
    'the stranger accepts one to the pad, to read': (world) => acceptInvitation(world, 'reader', world.pad),
    'the stranger accepts one to the pad, to write': (world) => acceptInvitation(world, 'writer', world.pad),
    'the stranger is removed': async ({ group, people: { owner: by, stranger } }) => {
      await etherpad.api('DELETE', `group/${group}/members/${stranger.login}`, { token: by.token });
    },
    'all links are ended': async ({ group, people: { owner: by } }) => {
      const { body } = await etherpad.api('GET', `group/${group}/links`, { token: by.token });
      for (const { _id } of (body as { value: { _id: string }[] }).value)
        await etherpad.api('DELETE', `links/${_id}`, { token: by.token });
    },
    'the member becomes a reader': ({ people: { owner: by, member }, group }) =>
      fixture.change(by, `group/${group}/members`, { readers: [member.login] }),
    'the member is taken out': ({ people: { owner: by }, group }) => fixture.invite(by, group, []),
    'the pad moves away': (world) => changePad(world, { group: world.elsewhere }),
    'the pad moves back': (world) => changePad(world, { group: world.group }),
    'all pads are for people with an account': () => setOnlySignedIn(true),
    'pads have rights of their own': () => setOnlySignedIn(false),
    'the member signs out': (world) => signOut(world, 'member'),
    'the member signs in': (world) => signIn(world, 'member'),
    'the stranger signs out': (world) => signOut(world, 'stranger'),
    'the stranger signs in': (world) => signIn(world, 'stranger'),
    'the stranger is deactivated': (world) => setActive(world, false),
    'the stranger is activated': (world) => setActive(world, true),
    'the folder is renamed': (world) => changeGroup(world, { name: 'Another name' }),
    'the pad is renamed': (world) => changePad(world, { name: 'Another name' }),
    'the server crashes': async () => {
      // Only one server can be stopped and started again.
      if (process.env.SEVERAL) return;
      await etherpad.kill9();
      await etherpad.restart();
    },
  } satisfies Record<string, (world: World) => Promise<unknown>>;
  type Action = keyof typeof actions;
  const changesNoRight: readonly Action[] = ['the folder is renamed', 'the pad is renamed'];

  /** What the browser may do now, as the API decides it. */
  async function standingOf({ browsers, pad, isSignedIn }: World, actor: Actor): Promise<Standing> {
    const ended = actor !== 'guest' && !isSignedIn.has(actor);
    const { status, body } = await etherpad.api(
      'GET',
      `pad/${pad}`,
      ended ? {} : { token: browsers[actor].token },
    );
    if (status !== 200) return 'refused';
    const { enter } = (body as { value?: { abilities?: { enter?: string } } }).value?.abilities ?? {};
    return enter === 'write' || enter === 'read' ? enter : 'refused';
  }

  async function openEditors(world: World): Promise<void> {
    for (const actor of actors) {
      const open = world.editors.get(actor);
      if (open && !open.client.closed) continue;
      const client = await PadClient.connect(etherpad, world.browsers[actor].cookie);
      const standing = await client.join(world.pad);
      expect(standing, `${actor} opens the pad`).to.equal(await standingOf(world, actor));
      if (standing === 'refused') client.close();
      if (standing === 'refused') world.editors.delete(actor);
      else world.editors.set(actor, { client, standing });
    }
  }

  /** Brings all open editors to the text that is stored, so that their next changes fit. */
  async function synchronise({ editors, pad }: World): Promise<string> {
    const { text } = (await hostApi(etherpad, 'getText', { padID: pad })) as { text: string };
    const { revisions } = (await hostApi(etherpad, 'getRevisionsCount', { padID: pad })) as {
      revisions: number;
    };
    for (const [actor, { client }] of editors) {
      await until(`${actor} has all changes`, () => client.closed || client.revision >= revisions);
      Object.assign(client, { text, revision: revisions });
    }
    return text;
  }

  async function step(world: World, action: Action, number: number): Promise<void> {
    await openEditors(world);
    await synchronise(world);
    await actions[action](world);
    // All write at once, right after the change was answered.
    const open = [...world.editors].filter(([, { client }]) => !client.closed);
    const outcomes = open.map(([actor, { client, standing }]) => {
      const mark = `<${number} ${actor}>`;
      const accepted = succeeds(
        client.next(`an answer to ${actor}`, ({ data }) => data?.type === 'ACCEPT_COMMIT'),
      );
      client.sendChange(mark);
      return { actor, client, standing, mark, accepted };
    });
    const stays: string[] = [];
    for (const { actor, client, standing, accepted } of outcomes) {
      const now = await standingOf(world, actor);
      if (now !== standing) await client.gone();
      else if (now === 'write') {
        const taken = await Promise.race([accepted, client.gone(60_000).then(() => false)]);
        if (taken) stays.push(actor);
      } else if (!client.closed) stays.push(actor);
    }
    if (changesNoRight.includes(action)) expect(stays).to.deep.equal(open.map(([actor]) => actor));
    const text = await synchronise(world);
    for (const { actor, mark } of outcomes) {
      if ((await standingOf(world, actor)) !== 'write') {
        expect(text, `after “${action}”, ${actor} may not write`).to.not.contain(mark);
      }
    }
  }

  async function newWorld(made: Fixture): Promise<World> {
    const all = { owner, ...others };
    const group = await made.group(owner);
    const world: World = {
      people: all,
      browsers: { ...all, guest: {} },
      editors: new Map(),
      group,
      elsewhere: await made.group(owner),
      pad: await made.pad(owner, group),
      isSignedIn: new Set(),
      isActive: true,
    };
    for (const who of people) await signIn(world, who);
    return world;
  }

  async function play(steps: readonly Action[]): Promise<void> {
    const world = await newWorld(fixture);
    try {
      for (const [number, action] of steps.entries()) await step(world, action, number);
    } finally {
      for (const { client } of world.editors.values()) client.close();
      await setActive(world, true);
      await setOnlySignedIn(false);
      for (const who of people) await signOut(world, who);
    }
  }

  it('leave nobody writing without the right to it', async () => {
    // A crash takes seconds, so it is one of many.
    const names = Object.keys(actions) as Action[];
    const usual = names.filter((name) => name !== 'the server crashes');
    const oneOf = fc.oneof(
      { weight: 60, arbitrary: fc.constantFrom(...usual) },
      { weight: 1, arbitrary: fc.constant<Action>('the server crashes') },
    );
    await fc.assert(fc.asyncProperty(fc.array(oneOf, { minLength: 8, maxLength: 20 }), play), {
      numRuns: runs,
      seed,
      endOnFailure: true,
    });
  });
});
