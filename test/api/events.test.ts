/** Domain events: what happened to which record, by whom, when, and what it was before. */
import { expect } from 'chai';
import type { DomainEvent } from '../../model/events';
import { callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildGroup, buildPad, buildUser, signInAsAdmin } from '../support/factories';
import { person, tokenIn, useMailFixture } from '../support/mailFixture';
import { inProcessOnly } from '../support/network';
import { closedPort } from '../support/smtpServer';
import { until } from '../support/waiting';

const facts = (of: { name: string; group?: string } | null): string =>
  of === null ? 'nothing' : [of.name, of.group].filter(Boolean).join(' in ');

function actor({ by }: DomainEvent): string {
  if (by.kind === 'account') return by.id;
  if (by.kind === 'link') return `link of ${by.account}`;
  return by.kind === 'administrator' ? [by.name, by.import].filter(Boolean).join(' importing ') : by.kind;
}

/** An event as a line: who, what, record, facts before and after, fields, what it is part of. */
function line(event: DomainEvent): string {
  const record = 'id' in event ? event.id : 'key' in event ? event.key : '';
  const change = 'before' in event ? `${facts(event.before)} > ${facts(event.after)}` : '';
  const fields = 'changed' in event ? event.changed?.join('+') : '';
  const whole = event.partOf === undefined ? '' : `part of ${event.partOf}`;
  const parts = [`${event.about} ${event.what}`, record, change, fields, whole].filter(Boolean);
  return `${actor(event)}: ${parts.join(', ')}`;
}

// The model of a real Etherpad is in another process.
inProcessOnly.describe('an event', () => {
  const { fixture, register, complete, recover } = useMailFixture({
    openRegistration: true,
    mailWhenAdded: false,
  });
  let heard: DomainEvent[];
  beforeEach(() => {
    heard = [];
    fixture.app.model.events.onOwn((event) => heard.push(event));
  });

  /** Ada with the folder Minutes and the pad Monday in it, a folder Archive, Bob, and an administrator. */
  async function build() {
    const { app } = fixture;
    const [ada, bob] = [await buildUser(app), await buildUser(app)];
    const group = await buildGroup(app, ada, { name: 'Minutes' });
    const archive = await buildGroup(app, ada, { name: 'Archive' });
    const pad = await buildPad(app, ada, group, { name: 'Monday' });
    const admin = callerOf(app, await signInAsAdmin(app));
    const names = { ada: ada.id, bob: bob.id, Minutes: group._id, Archive: archive._id, Monday: pad._id };
    return { app, ada, bob, group, archive, pad, admin, names, call: callerOf(app, ada.token) };
  }
  type Place = Awaited<ReturnType<typeof build>>;

  /** The events of this work as lines, with names in the place of ids, without ends of sessions. */
  async function eventsOf({ names }: Place, work: () => Promise<unknown>): Promise<string[]> {
    const { now } = fixture.app.ports;
    heard.length = 0;
    const before = now();
    await work();
    for (const { time } of heard) expect(time).to.be.within(before, now());
    const known = new Map(Object.entries(names).map(([name, id]) => [id, name]));
    const named = (text: string): string =>
      [...known].reduce((one, [id, name]) => one.replaceAll(id, name), text);
    return heard
      .filter(({ about, what }) => `${about} ${what}` !== 'session ended')
      .map((one) => named(line(one)));
  }

  it('says what happened, by whom, when, and what was before', async () => {
    const mail = await fixture.startMail();
    const cases: Record<string, [(place: Place) => Promise<unknown>, string[]]> = {
      'a registration': [
        async (place) => {
          const { body } = await register(person('eve')).expect(200);
          Object.assign(place.names, { eve: body.value._id });
        },
        ['guest: user created, eve'],
      ],
      'signing in and out': [
        async ({ app, ada }) => {
          const { body } = await fixture.login(ada.login, ada.password);
          await callerOf(app, body.token)('post', 'auth/logout', {}).expect(200);
        },
        ['ada: signIn signedIn', 'ada: signIn signedOut'],
      ],
      'a refused sign-in': [
        ({ app }) => callerOf(app)('post', 'auth/admin/login', { login: 'root', password: 'no' }).expect(400),
        ['guest: signIn signInRefused'],
      ],
      'a new folder': [
        async (place) => {
          const { body } = await place.call('post', 'group', { name: 'New' }).expect(200);
          Object.assign(place.names, { new: body.key });
        },
        ['ada: group created, new, nothing > New'],
      ],
      'changes of a folder': [
        async ({ call, group: { _id }, bob }) => {
          await call('put', `group/${_id}`, { name: 'Protocols', readonly: true }).expect(200);
          await call('post', 'group/tags', { changes: [{ group: _id, add: ['a'], remove: [] }] }).expect(200);
          await call('post', `group/${_id}/members`, { loginsOrEmails: [bob.login] }).expect(200);
        },
        [
          'ada: group changed, Minutes, Minutes > Protocols, readonly+name',
          'ada: group changed, Minutes, Protocols > Protocols, tags',
          'ada: group changed, Minutes, Protocols > Protocols, users',
        ],
      ],
      'a folder that is removed with its pad': [
        ({ call, group }) => call('delete', `group/${group._id}?permanent=true`).expect(200),
        [
          'ada: group removed, Minutes, Minutes > nothing',
          'ada: pad removed, Monday, Monday in Minutes > nothing, part of groupRemoval',
        ],
      ],
      'a folder and a pad that are deleted and restored': [
        async ({ call, pad, group }) => {
          await call('delete', `pad/${pad._id}`).expect(200);
          await call('post', `trash/${pad._id}/restore`, {}).expect(200);
          await call('delete', `group/${group._id}`).expect(200);
          await call('post', `trash/${group._id}/restore`, {}).expect(200);
        },
        [
          'ada: pad trashed, Monday, Monday in Minutes > nothing',
          'ada: pad restored, Monday, nothing > Monday in Minutes',
          'ada: group trashed, Minutes, Minutes > nothing',
          'ada: group restored, Minutes, nothing > Minutes',
        ],
      ],
      'a new pad': [
        async (place) => {
          const body = { name: 'New', group: place.group._id };
          Object.assign(place.names, { new: (await place.call('post', 'pad', body).expect(200)).body.key });
        },
        ['ada: pad created, new, nothing > New in Minutes'],
      ],
      'a pad that moves to another folder with another name': [
        ({ call, pad, archive }) =>
          call('put', `pad/${pad._id}`, { name: 'Old', group: archive._id }).expect(200),
        [
          'ada: group changed, Minutes, Minutes > Minutes, pads, part of padMove',
          'ada: pad changed, Monday, Monday in Minutes > Old in Archive, name+group',
        ],
      ],
      'the end of a chat and of a pad': [
        async ({ call, pad }) => {
          await call('delete', `pad/chathistory/${pad._id}`).expect(200);
          await call('delete', `pad/${pad._id}?permanent=true`).expect(200);
        },
        [
          'ada: pad chatRemoved, Monday, Monday in Minutes > Monday in Minutes',
          'ada: pad removed, Monday, Monday in Minutes > nothing',
        ],
      ],
      'a pad that Etherpad removes and has again': [
        async ({ app: { model, ports }, pad: { _id } }) => {
          await ports.pads.remove(_id, {});
          const noticed = model.removals.padVanished(_id);
          await until('it is to be checked', () => ports.schedule.isPlanned('check vanished pad'));
          ports.schedule.run('check vanished pad');
          await noticed;
          await ports.pads.create(_id);
          await model.removals.padAppeared(_id);
        },
        [
          'server: pad removed, Monday, Monday in Minutes > nothing',
          'server: pad restored, Monday, nothing > Monday in Minutes',
        ],
      ],
      'texts, written by a person, a guest, and nobody whom we know': [
        async ({ app, ada, pad: { _id } }) => {
          for (const editor of [ada.id, null, undefined]) {
            app.ports.advance(120_000);
            await app.model.pads.touch(_id, editor);
          }
        },
        ['ada: text edited, Monday', 'guest: text edited, Monday', 'server: text edited, Monday'],
      ],
      'a changed profile': [
        ({ call, ada }) => call('put', `user/${ada.login}`, { firstname: 'Ada' }).expect(200),
        ['ada: user changed, ada, firstname'],
      ],
      'a password chosen by a mailed link': [
        async ({ ada }) => {
          await recover(ada.email).expect(200);
          await complete(tokenIn(await mail.next(), 'passrecover'), 'another secret').expect(200);
        },
        ['link of ada: user changed, ada, password+active'],
      ],
      'sessions that somebody ends': [
        ({ call, ada }) => call('delete', `user/${ada.login}/sessions`).expect(200),
        ['ada: user sessionsEnded, ada'],
      ],
      'a password that a guest proves': [
        async ({ app, call, group: { _id } }) => {
          await call('put', `group/${_id}`, { visibility: 'private', password: 'secret' }).expect(200);
          heard.length = 0;
          await callerOf(app)('post', `group/${_id}/unlock`, { password: 'secret' }).expect(200);
          Object.assign(heard[0] ?? {}, { id: 'S' });
        },
        ['guest: session unlocked, S'],
      ],
      settings: [
        async ({ admin }) => {
          await admin('put', 'configuration/title', { value: 'Ours' }).expect(200);
          await admin('delete', 'configuration/title', {}).expect(200);
        },
        ['root: configuration changed, title', 'root: configuration reset, title'],
      ],
      'an import': [
        ({ admin, ada }) =>
          admin('put', `user/${ada.login}`, { lastname: 'L' }).set('Mypads-Import', 'a-run-of-a-program'),
        ['root importing a-run-of-a-program: user changed, ada, lastname'],
      ],
      'a test mail': [
        async ({ admin }) => {
          await admin('post', 'admin/testMail', { to: 'ada@example.org' }).expect(200);
          await mail.next();
        },
        ['root: mail testSent'],
      ],
      'an index that is built again': [
        ({ admin }) => admin('post', 'admin/index/rebuild').expect(200),
        ['root: index rebuilt'],
      ],
      'an account that an administrator removes': [
        ({ admin, ada }) => admin('delete', `user/${ada.login}`, {}).expect(200),
        [
          'root: user changed, ada, active, part of accountRemoval',
          'root: group removed, Minutes, Minutes > nothing, part of accountRemoval',
          'root: pad removed, Monday, Monday in Minutes > nothing, part of groupRemoval',
          'root: group removed, Archive, Archive > nothing, part of accountRemoval',
          'root: user removed, ada',
        ],
      ],
      'an invitation whose mail cannot be sent': [
        async (place) => {
          await fixture.pointMailAt(await closedPort());
          heard.length = 0;
          const body = { login: 'zoe', email: 'zoe@example.org', invite: true };
          expect((await place.admin('post', 'user', body)).status).to.equal(503);
          Object.assign(place.names, { zoe: (heard[0] as DomainEvent & { about: 'user' }).id });
        },
        [
          'root: user changed, zoe, active, part of accountRemoval',
          'root: user removed, zoe, part of failedCreation',
        ],
      ],
    };
    await checkEach(cases, async ([work, expected]) => {
      const place = await build();
      const lines = await eventsOf(place, () => work(place));
      expect(lines, lines.join('\n')).to.have.members(expected).and.have.length(expected.length);
      for (const login of [place.ada.login, place.bob.login, 'eve', 'zoe'])
        await place.admin('delete', `user/${login}`, {});
      await fixture.app.idle();
    });
  });
});
