/** Every row of the table of limits (web/rateLimit.ts): how many tries are allowed, and when the next one is. */
import { expect } from 'chai';
import type { Response } from 'supertest';
import type { Proved } from '../../model/access/devices';
import { type LimitName, limitTable } from '../../web/rateLimit';
import { startApp, type TestApp } from '../support/app';
import { callerOf, encodePassword } from '../support/caller';
import {
  buildApiToken,
  buildGroup,
  buildPad,
  buildUser,
  signInAsAdmin,
  type TestUser,
} from '../support/factories';
import { root, startMailFor, tokenIn } from '../support/mailFixture';
import { inProcessOnly, overNetwork } from '../support/network';
import { closedPort } from '../support/smtpServer';

interface Fixture {
  app: TestApp;
  user: TestUser;
  /** The token of a server administrator. */
  administrator: string;
  /** A person who has created nothing yet, and may create pads in `makersGroup`. */
  maker: TestUser;
  makersGroup: string;
  /** A list that this person has. */
  makersList: string;
  /** People who add others to folders. */
  inviters: TestUser[];
  /** Private groups with a password. */
  groups: string[];
  /** Of the maker. */
  apiToken: string;
  /** Of a browser that is known for the user, the server administrator and the first group. */
  cookie: string;
}

interface Try {
  method: 'get' | 'post' | 'put';
  path: string;
  body?: object;
  /** Sent instead of JSON. */
  form?: object;
  token?: string;
  /** The address of the caller. Default: always the same one. */
  from?: string;
  cookie?: string;
}

/** An address for each number. */
const address = (number: number) => `10.0.${Math.floor(number / 250)}.${number % 250}`;
const call =
  (method: Try['method']) =>
  (path: string, body?: object, more: Partial<Try> = {}): Try => ({ method, path, body, ...more });
const [get, post, put] = [call('get'), call('post'), call('put')];
const login = (name: string, from?: string, path = 'auth/login'): Try =>
  post(path, { login: name, password: 'a guess' }, { from });
const recover = (email: string, from?: string): Try => post('passrecover', { email }, { from });
const register = (name: string, email: string, from?: string): Try =>
  post('user', { login: name, password: 'long enough', email }, { from });
const admin = 'auth/admin/login';
const guess = (group: string, password = 'a guess'): Try => post(`group/${group}/unlock`, { password });
const makesFolder = (maker: TestUser | undefined, users: string[] = []): Try =>
  post('group', { name: 'Folder', users }, { token: maker?.token });
const invites = ({ token }: TestUser, group: string, address: string): Try =>
  post(`group/${group}/invitations`, { loginsOrEmails: [address] }, { token });
/** A call of this person from another address each time. */
const from = ({ token }: { token: string }, number: number) => ({ token, from: address(number) });
/** Ways to write a name that a directory may treat as equal. */
const spellings: ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => ` ${name}  `,
  (name) => name.replace(/[a-z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
  (name) => name.replace('e', 'é'),
  (name) => name.replace('e', 'e\u200b'),
];
const spelled = (name: string, number: number): string =>
  spellings[number % spellings.length]?.(name) ?? name;

/** An address of the same mailbox. */
const sameMailbox = (email: string, number: number): string =>
  number % 2 === 0 ? email.toUpperCase() : email.replace('@', `+tag${number}@`);

/** For each limit that refuses calls, the try with this number, counted from 0. */
const tries: Record<
  Exclude<LimitName, 'addedMail' | 'factor' | 'factorBrowser'>,
  (fixture: Fixture, number: number) => Try
> = {
  signIn: ({ user }, number) => login(spelled(user.login, number)),
  signInAddress: (_fixture, number) => login(`somebody ${number}`),
  signInAccount: ({ user }, number) => login(spelled(user.login, number), address(number)),
  signInBrowser: ({ user, cookie }, number) => ({
    ...login(user.login, address(number)),
    cookie,
  }),
  adminSignIn: () => login('root', undefined, admin),
  adminSignInAddress: (_fixture, number) => login(`root ${number}`, undefined, admin),
  adminSignInAccount: (_fixture, number) => login('root', address(number), admin),
  adminSignInBrowser: ({ cookie }, number) => ({ ...login('root', address(number), admin), cookie }),
  ownPassword: ({ user }, number) =>
    put(
      `user/${user.login}`,
      { email: 'another@example.org', currentPassword: 'a guess' },
      from(user, number),
    ),
  factorChange: ({ user }, number) => {
    const path = `user/${user.login}/factors/${number % 2 === 0 ? 'recovery' : 'totp/options'}`;
    return post(path, { currentPassword: user.password }, from(user, number));
  },
  // Alternates between two passwords, because the same one again would be no change.
  passwordChange: ({ user }, number) => {
    const both = [user.password, `${user.password} 2`];
    const [currentPassword, password] = number % 2 === 0 ? both : both.reverse();
    return put(`user/${user.login}`, { password, currentPassword }, from(user, number));
  },
  registration: (_fixture, number) => register(`new ${number}`, `new${number}@example.org`),
  registrationMail: (_fixture, number) =>
    register(`new ${number}`, sameMailbox('new@example.org', number), address(number)),
  emailChange: ({ user }, number) => {
    const body = { email: `another${number}@example.org`, currentPassword: user.password };
    return put(`user/${user.login}`, body, from(user, number));
  },
  recovery: ({ user }, number) => recover(sameMailbox(user.email, number)),
  recoveryAccount: ({ user }, number) => recover(sameMailbox(user.email, number), address(number)),
  recoveryAddress: (_fixture, number) => recover(`somebody${number}@example.org`),
  providerLogout: (_fixture, number) =>
    number % 2 === 0
      ? post('auth/cas/logout', undefined, { form: { logoutRequest: 'made up' } })
      : post('auth/oidc/unknown/logout', undefined, { form: { logout_token: 'made up' } }),
  mailedLink: (_fixture, number) => post('accountconfirm', { token: `made up ${number}` }),
  apiToken: ({ apiToken }, number) => get('cache/check', undefined, from({ token: apiToken }, number)),
  wrongApiToken: (_fixture, number) =>
    get('cache/check', undefined, { token: `mp_${String(number).padStart(40, '0')}` }),
  testMail: ({ administrator: token }, number) =>
    post('admin/testMail', { to: `somebody${number}@example.org` }, from({ token }, number)),
  passwordProof: ({ groups: [group = ''] }) => guess(group),
  passwordProofAddress: ({ groups }, number) => guess(groups[number % groups.length] ?? ''),
  passwordProofBrowser: ({ groups: [group = ''], cookie }, number) => ({
    ...guess(group),
    from: address(number),
    cookie,
  }),
  guest: ({ groups: [group = ''] }) => guess(group, 'secret'),
  folders: ({ maker }) => makesFolder(maker),
  pads: ({ maker: { token }, makersGroup }) => post('pad', { name: 'Pad', group: makersGroup }, { token }),
  imports: ({ maker }, number) => post('imports', {}, from(maker, number)),
  userLists: ({ maker: { token }, makersList }, number) =>
    number < 98
      ? post('userlist', { name: 'List' }, { token })
      : put(`userlist/${makersList}`, { name: 'List' }, { token }),
  invitation: ({ user, maker }) => makesFolder(maker, [user.id]),
  exports: ({ user }, number) => post('exports', { me: true }, from(user, number)),
  request: ({ user }, number) => post(`group/unknown-${number}/requests`, {}, from(user, number)),
  invitationPerson: ({ user, inviters }, number) =>
    makesFolder(inviters[number % inviters.length], [user.id]),
  invitationMail: ({ maker, makersGroup }, number) => invites(maker, makersGroup, `in${number}@example.org`),
  invitationMailbox: ({ maker, makersGroup }, number) =>
    invites(maker, makersGroup, sameMailbox('invited@example.org', number)),
};

/** Limits that need several groups or people, because a lower limit for each of them comes first. */
const needed: Partial<Record<LimitName, { privateGroups?: number; others?: number }>> = {
  passwordProofAddress: { privateGroups: 12 },
  invitationPerson: { others: 6 },
};

/** Not through sign-ins either. */
async function knownBrowser({ model }: TestApp, { id }: TestUser, group: string): Promise<string> {
  const { users, administrators, unlocks, devices } = model;
  const all: Proved[] = [
    { what: 'user', id, password: (await users.get(id))?.password },
    { what: 'admin', id: 'root', password: administrators.passwordOf('root') },
    await unlocks.provedOf({ what: 'group', id: group }),
  ];
  const value = all.reduce<string | undefined>(
    (cookie, proved) => devices.remember(cookie, proved),
    undefined,
  );
  return `mypads_device=${value}`;
}

/** Nothing answers at this port, so each email waits for another attempt. */
async function setUpMail({ model: { configuration } }: TestApp): Promise<void> {
  const settings = {
    rootUrl: 'https://pads.example.org',
    SMTPHost: '127.0.0.1',
    SMTPPort: 1,
    SMTPTLS: false,
  };
  for (const [key, value] of Object.entries({ ...settings, SMTPEmailFrom: 'pads@example.org' }))
    await configuration.set(key, value);
}

describe('the limit', () => {
  let fixture: Fixture;
  const as = ({ token }: TestUser) => callerOf(fixture.app, token);

  async function open(limitFactor: number, { privateGroups = 1, others = 1 } = {}): Promise<void> {
    const app = await startApp({ limitFactor, trustProxy: () => true });
    const user = await buildUser(app);
    const groups: string[] = [];
    for (let number = 0; number < privateGroups; number += 1) {
      groups.push((await buildGroup(app, user, { visibility: 'private', password: 'secret' }))._id);
    }
    const [maker, ...inviters] = await Promise.all(Array.from({ length: 1 + others }, () => buildUser(app)));
    if (!maker) throw new Error('nobody was made');
    const { _id: makersGroup } = await buildGroup(app, user, { admins: [maker.id] });
    const { id: makersList } = await app.model.userLists.create(maker.id, { name: 'List' });
    // Not through a sign-in, whose limit may be below 1 with this factor.
    const { token: administrator } = await app.model.sessions.create({
      kind: 'admin',
      owner: 'root',
      browser: undefined,
      voucher: { listed: true },
    });
    const cookie = await knownBrowser(app, user, groups[0] ?? '');
    const apiToken = await buildApiToken(app, maker);
    fixture = {
      app,
      user,
      administrator,
      maker,
      makersGroup,
      makersList,
      inviters,
      groups,
      apiToken,
      cookie,
    };
  }
  afterEach(() => fixture.app.close());

  function attempt({ method, path, body, form, token, from = '192.0.2.1', cookie }: Try): Promise<Response> {
    const call = fixture.app.agent[method](`/api/${path}`).set('X-Forwarded-For', from);
    if (token) call.set('Authorization', `Bearer ${token}`);
    if (cookie) call.set('Cookie', cookie);
    if (form) return call.type('form').send(form);
    return method === 'get' ? call : call.send(body ?? {});
  }

  // When the limit of emails is reached, nobody is told; see below. secondFactorAttacks.test.ts tries those of codes.
  const { addedMail: _, factor: _code, factorBrowser: _codeHere, ...refusing } = limitTable;
  for (const [name, { counts, by, points, seconds }] of Object.entries(refusing)) {
    // High limits are reduced, which proves as much. Over the network they cannot be reduced.
    const factor = overNetwork || points < 100 ? 1 : points < 300 ? 0.2 : 0.1;
    const many = points * factor;
    it(`of ${counts}, by ${by}, is ${points}${factor === 1 ? '' : ` (${many} are tried)`}: the next is told when to try again`, async () => {
      await open(factor, needed[name as LimitName]);
      if (['registrationMail', 'emailChange'].includes(name))
        await fixture.app.model.configuration.set('checkMails', true);
      if (name.startsWith('invitationMail')) await setUpMail(fixture.app);
      const make = tries[name as keyof typeof tries];
      for (let number = 0; number < many; number += 1) {
        const { status, text } = await attempt(make(fixture, number));
        expect(status, `try ${number + 1}: ${text}`).not.to.equal(429);
      }
      const refused = await attempt(make(fixture, points));
      expect(refused.body.error).to.equal('BACKEND.ERROR.PERMISSION.TOO_MANY');
      expect(refused.body.retryAfter).to.be.within(1, seconds);
      expect(refused.headers['retry-after']).to.equal(String(refused.body.retryAfter));
    }).timeout(120_000);
  }

  it('of failed sign-ins does not count those that failed because the database did', async () => {
    await open(1);
    const { app, user } = fixture;
    const body = { login: user.login, password: user.password };
    const signIn = () => attempt({ method: 'post', path: 'auth/login', body });
    for (const [call, keys] of [
      ['get', 'mypads:user:'],
      ['set', 'mypads:session:'],
    ] as const) {
      await app.inject({ fault: 'fail', why: 'gone', calls: [call], keys });
      for (let number = 0; number < limitTable.signIn.points + 1; number += 1) {
        expect((await signIn()).status, keys).to.equal(503);
      }
      await app.inject({ fault: 'none' });
    }
    expect((await signIn()).status).to.be.oneOf([200, 503]);
    for (let number = 0; number < limitTable.signIn.points; number += 1) {
      expect((await attempt(login(user.login))).status).to.equal(400);
    }
    expect((await attempt(login(user.login))).status).to.equal(429);
  });

  it('of failed sign-ins is one for all spellings of an address that find its account', async () => {
    await open(1);
    const [name = '', domain = ''] = fixture.user.email.split('@');
    // Letters that nobody sees, and dots of other scripts.
    const hidden = ['\u115f', '\u1160', '\u3164', '\uffa0', '\u2800'];
    const written = [
      ...hidden.map((letter) => `${letter}${name}@${domain}`),
      ...hidden.map((letter) => `${name}@exam${letter}ple.org`),
      `${name}@example\u3002org`,
    ];
    for (const typed of written) {
      const body = { login: typed, password: fixture.user.password };
      const { status } = await attempt({ method: 'post', path: 'auth/login', body });
      expect(status, JSON.stringify(typed)).to.equal(200);
    }
    for (let number = 0; number < limitTable.signIn.points; number += 1)
      expect((await attempt(login(written[number] ?? ''))).status).to.equal(400);
    expect((await attempt(login(fixture.user.email))).status).to.equal(429);
  });

  it('of an address is not used up by somebody who goes on trying with an account that is locked', async () => {
    await open(1);
    const { user } = fixture;
    for (let number = 0; number < limitTable.signIn.points; number += 1) await attempt(login(user.login));
    for (let number = 0; number < limitTable.signInAddress.points; number += 1) {
      expect((await attempt(login(user.login))).status).to.equal(429);
    }
    expect((await attempt(login('somebody else'))).status, 'another account').to.equal(400);
    for (let number = 0; number < limitTable.signInAddress.points; number += 1) {
      await attempt(login(`somebody ${number}`));
    }
    expect((await attempt(login('the next'))).status, 'the limit itself still holds').to.equal(429);
  });

  it('of an address is not used up by somebody who goes on asking for emails to one mailbox', async () => {
    await open(1);
    const mail = await startMailFor(fixture.app, { rootUrl: root, checkMails: true });
    for (let number = 0; number < limitTable.recoveryAddress.points; number += 1)
      await attempt(recover('ada@example.org'));
    expect((await attempt(recover('bob@example.org'))).status, 'a recovery').to.equal(200);
    for (let number = 0; number < limitTable.registration.points; number += 1)
      await attempt(register(`ada${number}`, `ada+${number}@example.org`));
    expect((await attempt(register('bob', 'bob@example.org'))).status, 'a registration').to.equal(200);
    const { configuration } = fixture.app.model;
    await configuration.set('SMTPPort', await closedPort());
    for (let number = 0; number < limitTable.recovery.points; number += 1)
      expect((await attempt(recover('bob@example.org'))).status).to.equal(503);
    await configuration.set('SMTPPort', mail.port);
    expect((await attempt(recover('bob@example.org'))).status, 'after an outage').to.equal(200);
    await mail.close();
  });

  it('of invalid links of emails locks out no valid link', async () => {
    await open(1);
    const mail = await startMailFor(fixture.app, { rootUrl: root, checkMails: true });
    await attempt(register('ada', 'ada@example.org', address(1)));
    const token = tokenIn(await mail.next(), 'accountconfirm');
    for (let number = 0; number < limitTable.mailedLink.points; number += 1)
      await attempt(tries.mailedLink(fixture, number));
    expect((await attempt(tries.mailedLink(fixture, 1_000))).status, 'an invalid one').to.equal(429);
    const confirmed = await attempt({ method: 'post', path: 'accountconfirm', body: { token } });
    expect(confirmed.body).to.deep.equal({ success: true, login: 'ada' });
    await mail.close();
  });

  it('of people who are added to folders holds for every way to add them', async () => {
    await open(1);
    const { app, user, maker, makersGroup, inviters } = fixture;
    for (let number = 0; number < limitTable.invitation.points; number += 1) {
      expect((await attempt(makesFolder(maker, [user.id]))).status).to.equal(200);
    }
    const { _id: group } = await buildGroup(app, maker);
    const ways: [string, () => Promise<Response>][] = [
      ['a new folder, as an admin', () => as(maker)('post', 'group', { name: 'Folder', admins: [user.id] })],
      ['a change', () => as(maker)('put', `group/${group}`, { users: [user.id] })],
      [
        'an invitation by login',
        () => as(maker)('post', 'group/invite', { gid: group, invite: true, loginsOrEmails: [user.login] }),
      ],
      [
        'shared administration by e-mail',
        () =>
          as(maker)('post', 'group/invite', {
            gid: group,
            invite: false,
            loginsOrEmails: [maker.login, ` ${user.email} `],
          }),
      ],
    ];
    for (const [way, put] of ways) expect((await put()).status, way).to.equal(429);
    const other = inviters[0]?.id ?? '';
    expect((await as(maker)('put', `group/${group}`, { users: [other] })).status, 'another').to.equal(200);
    // A person who is in the folder already does not count as added.
    const kept = await as(maker)('put', `group/${makersGroup}`, { admins: [user.id, maker.id] });
    expect(kept.status, 'who is there').to.equal(200);
  });

  it('of people who are added to folders counts each folder that somebody hands over', async () => {
    await open(1);
    const { user, maker } = fixture;
    for (let number = 0; number < limitTable.invitation.points / 2 + 1; number += 1)
      expect((await attempt(makesFolder(maker, [user.id]))).status).to.equal(200);
    const handedOver = { folders: { to: user.login }, currentPassword: maker.password };
    expect((await as(maker)('delete', `user/${maker.login}`, handedOver)).status).to.equal(429);
  });

  it('of emails about being added to folders refuses nothing: no more are sent', async () => {
    await open(1);
    const { app, user, maker } = fixture;
    const mail = await startMailFor(app);
    for (let number = 0; number < limitTable.addedMail.points + 2; number += 1)
      expect((await attempt(makesFolder(maker, [user.id]))).status).to.equal(200);
    await app.idle();
    expect(mail.received).to.have.length(limitTable.addedMail.points);
    await mail.close();
  });

  it('of what people make does not hold for administrators, who may import a whole school', async () => {
    const factor = overNetwork ? 1 : 0.2;
    await open(factor, { others: 6 });
    const { app, user, inviters } = fixture;
    const call = callerOf(app, await signInAsAdmin(app));
    for (let number = 0; number < limitTable.folders.points * factor + 1; number += 1) {
      const users = inviters.map(({ id }) => id);
      const { status } = await call('post', 'group', { name: 'Folder', admin: user.id, users });
      expect(status).to.equal(200);
    }
  }).timeout(120_000);

  // In the process only: over the network, opening a folder so often takes long.
  inProcessOnly.it(
    'of guests holds at the address of a pad too, and wrong passwords do not count for it',
    async () => {
      await open(0.1);
      const { app, user } = fixture;
      const group = await buildGroup(app, user, { visibility: 'private', password: 'secret' });
      const pad = await buildPad(app, user, group);
      const host = await app.listen();
      const from = { 'X-Forwarded-For': '192.0.2.1' };
      const enter = async (password: string): Promise<number> => {
        const url = `${host.url}/p/${pad._id}?mypadspassword=${encodePassword(password)}`;
        return (await fetch(url, { redirect: 'manual', headers: from })).status;
      };
      const unlock = async (): Promise<number> =>
        (await app.agent.post(`/api/group/${group._id}/unlock`).set(from).send({ password: 'secret' }))
          .status;
      expect(await enter('wrong')).to.equal(302);
      for (let number = 0; number < limitTable.guest.points / 20; number += 1) {
        expect([await enter('secret'), await unlock()]).to.deep.equal([302, 200]);
      }
      expect([await enter('secret'), await unlock()]).to.deep.equal([429, 429]);
      await host.close();
    },
  );

  inProcessOnly.it('of wrong passwords holds for readers at the address of a pad too', async () => {
    await open(1);
    const { app, user, maker } = fixture;
    const rules = { visibility: 'private', password: 'secret', readers: [maker.id] };
    const pad = await buildPad(app, user, await buildGroup(app, user, rules));
    const host = await app.listen();
    const headers = { cookie: `mypads_entry=${maker.entryToken}` };
    const enter = async (query = ''): Promise<number> =>
      (await fetch(`${host.url}/p/${pad._id}${query}`, { redirect: 'manual', headers })).status;
    const guesses: number[] = [];
    for (let number = 0; number <= limitTable.passwordProof.points; number += 1)
      guesses.push(await enter(`?mypadspassword=${encodePassword(`guess ${number}`)}`));
    expect(guesses.slice(-2)).to.deep.equal([302, 429]);
    expect(await enter(), 'they may still read').to.equal(200);
    await host.close();
  });

  it('cannot be used by one address to lock somebody out, and never where the person has signed in before', async () => {
    await open(1);
    const { login: name, password } = fixture.user;
    const signIn = async (from: string) =>
      (await attempt({ method: 'post', path: 'auth/login', body: { login: name, password }, from })).status;
    expect(await signIn('192.0.2.50')).to.equal(200);
    for (let number = 0; number < 150; number += 1) await attempt(login(name));
    expect(await signIn('192.0.2.51'), 'one address has guessed all the time').to.equal(200);
    for (let number = 0; number < 120; number += 1) await attempt(login(name, address(number)));
    expect(await signIn('192.0.2.52'), 'a hundred addresses have guessed').to.equal(429);
    expect(await signIn('192.0.2.50'), 'where the person was before').to.equal(200);
    expect(await signIn('192.0.2.51'), 'where the person was before').to.equal(200);
  });
});
