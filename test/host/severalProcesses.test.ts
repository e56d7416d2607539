/** Two Etherpad processes on one database, without a proxy: a change in one takes effect in both at once. */
import { expect } from 'chai';
import { TOTP } from 'otpauth';
import type { Answer, RunningEtherpad } from '../support/etherpad';
import { createFixture, entryCookieOf, type Fixture, type Person, password } from '../support/hostFixture';
import { missingForSeveral, type SeveralEtherpads, sharedPair } from '../support/severalEtherpads';
import { PadClient } from '../support/socketClient';
import { until } from '../support/waiting';

const page = 'text/html';

interface Process extends RunningEtherpad {
  fixture: Fixture;
}

const errorOf = ({ body }: Answer): string => (body as { error?: string }).error ?? '';

(missingForSeveral ? describe.skip : describe)('several processes', function () {
  this.timeout(300_000);
  let several: SeveralEtherpads;
  let all: Process[];
  let one: Process;
  let two: Process;
  let owner: Person;

  before(async function () {
    this.timeout(300_000);
    several = await sharedPair();
    all = several.processes.map((etherpad) => ({ ...etherpad, fixture: createFixture(etherpad) }));
    [one, two] = all as [Process, Process];
    // Other files of this mocha process queue removals.
    await one.fixture.configure('deleteJobQueue', false);
    owner = await one.fixture.person('owner');
  });
  afterEach(function () {
    if (this.currentTest?.state !== 'failed' || !process.env.SHOW) return;
    for (const process of all) console.log(process.log().slice(-3000));
  });

  /** Calls all processes at the same time. */
  const onEach = <Result>(work: (process: Process, index: number) => Promise<Result>): Promise<Result[]> =>
    Promise.all(all.map(work));

  async function succeed(answer: Promise<Answer>): Promise<Answer> {
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).to.equal(200);
    return answer;
  }

  /** The token of a server administrator. */
  async function administrator({ api, admin }: Process): Promise<string> {
    const body = { login: admin.name, password: admin.password };
    const answer = await succeed(api('POST', 'auth/admin/login', { body }));
    return (answer.body as { token: string }).token;
  }

  async function open(process: Process, pad: string, cookie = ''): Promise<PadClient> {
    const editor = await PadClient.connect(process, cookie);
    expect(await editor.join(pad)).to.not.equal('refused');
    return editor;
  }

  describe('asked at the same moment', () => {
    it('give a login, and an e-mail address, to one person', async () => {
      const logins = await onEach(({ api }, index) =>
        api('POST', 'user', {
          body: { login: `Same`, password, email: `login-${index}@example.org` },
        }),
      );
      const addresses = await onEach(({ api }, index) =>
        api('POST', 'user', {
          body: { login: `address-${index}`, password, email: `same@example.org` },
        }),
      );
      for (const answers of [logins, addresses]) {
        expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
      }
      // The login means the same account in each process.
      const signedIn = await onEach(({ api }) =>
        api('POST', 'auth/login', { body: { login: `same@example.org`, password } }),
      );
      const ids = signedIn.map(({ body }) => (body as { user?: { _id: string } }).user?._id);
      expect(new Set(ids).size).to.equal(1);
      expect(ids[0]).to.be.a('string');
    });

    it('keep a last administrator of a folder whose administrators leave it', async () => {
      const people = [owner, await two.fixture.person('second')];
      for (let round = 0; round < 5; round++) {
        const group = await one.fixture.group(owner);
        await one.fixture.invite(
          owner,
          group,
          people.map(({ login }) => login),
          false,
        );
        const answers = await onEach(({ api }, index) =>
          api('POST', 'group/resign', { token: people[index]?.token, body: { gid: group } }),
        );
        expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
        const stays = people[answers.findIndex(({ status }) => status !== 200)];
        const { body } = await two.api('GET', `group/${group}`, { token: stays?.token });
        expect((body as { value: { admins: string[] } }).value.admins).to.deep.equal([stays?.id]);
      }
    });

    it('accept a ticket once', async () => {
      const pad = await one.fixture.pad(owner, await one.fixture.group(owner));
      const ticketFrom = async ({ api }: Process): Promise<string> => {
        const answer = await succeed(api('POST', `pad/${pad}/ticket`, { token: owner.token, body: {} }));
        return (answer.body as { ticket: string }).ticket;
      };
      const visit = ({ get }: Process, ticket: string): Promise<Answer> =>
        get(`/p/${pad}?auth_token=${ticket}`, { accept: page });
      for (const [index, from] of all.entries()) {
        const ticket = await ticketFrom(from);
        const elsewhere = all[1 - index] as Process;
        const cookie = entryCookieOf(await visit(elsewhere, ticket)) ?? '';
        expect(cookie).to.not.equal('');
        for (const { get } of all)
          expect((await get(`/p/${pad}`, { accept: page, cookie })).status).to.equal(200);
        for (const process of all) expect(entryCookieOf(await visit(process, ticket))).to.equal(undefined);
        const atTheSameTime = await ticketFrom(from);
        const answers = await onEach((process) => visit(process, atTheSameTime));
        expect(answers.filter((answer) => entryCookieOf(answer) !== undefined)).to.have.length(1);
      }
    });

    it('accept a second step, its code and a recovery code once', async () => {
      const { login, token } = await one.fixture.person('twosteps');
      const factors = `user/${login}/factors/totp`;
      const begun = await succeed(
        two.api('POST', `${factors}/options`, { token, body: { currentPassword: password } }),
      );
      const { pending, secret } = begun.body as { pending: string; secret: string };
      // The code of half a minute ago, so that the one of now is a new one afterwards. It may be too old on arrival.
      const app = new TOTP({ secret });
      const add = (): Promise<Answer> => {
        const code = app.generate({ timestamp: Date.now() - 30_000 });
        return two.api('POST', factors, { token, body: { pending, code } });
      };
      let added = await add();
      if (added.status === 400) added = await succeed(add());
      const { recoveryCodes } = added.body as { recoveryCodes: string[] };
      const first = async ({ api }: Process): Promise<string> => {
        const answer = await succeed(api('POST', 'auth/login', { body: { login, password } }));
        return (answer.body as { pending: string }).pending;
      };
      const second = (process: Process, body: Record<string, unknown>): Promise<Answer> =>
        process.api('POST', 'auth/login/factor', { body });
      const accepted = (answers: Answer[]): number => answers.filter(({ status }) => status === 200).length;
      const begin = await Promise.all([...all, ...all].map(first));
      const send = (body: Record<string, unknown>) =>
        Promise.all(begin.map((one, index) => second(all[index % 2] as Process, { pending: one, ...body })));
      expect(accepted(await send({ code: app.generate() })), 'one code').to.equal(1);
      const again = await first(one);
      const codes = recoveryCodes.slice(0, 6);
      const steps = codes.map((recoveryCode, index) =>
        second(all[index % 2] as Process, { pending: again, recoveryCode }),
      );
      expect(accepted(await Promise.all(steps)), 'one step').to.equal(1);
      for (const index of begin.keys()) begin[index] = await first(all[index % 2] as Process);
      expect(accepted(await send({ recoveryCode: recoveryCodes[7] })), 'one recovery code').to.equal(1);
    });
  });

  it('use a changed setting, and close the editors that it closes', async () => {
    const group = await one.fixture.group(owner, { visibility: 'public' });
    const editor = await open(two, await one.fixture.pad(owner, group));
    await one.fixture.configure('title', 'All of them');
    await one.fixture.configure('allPadsPublicsAuthentifiedOnly', true);
    await editor.gone();
    try {
      await onEach(({ api }) =>
        until('they use it', async () => {
          const { body } = await api('GET', 'configuration');
          const { title, allPadsPublicsAuthentifiedOnly: closed } = (
            body as { value: Record<string, unknown> }
          ).value;
          return title === 'All of them' && closed === true;
        }),
      );
    } finally {
      await two.fixture.configure('allPadsPublicsAuthentifiedOnly', false);
    }
  });

  describe('end', () => {
    /** Checks that a session has ended in each process. `editors`: its editors, which must close. */
    async function expectEnded({ token, cookie }: Person, pad: string, editors: PadClient[]): Promise<void> {
      for (const editor of editors) await editor.gone();
      for (const { api, get } of all) {
        expect((await api('GET', 'group', { token })).status).to.equal(401);
        expect((await get(`/p/${pad}`, { cookie })).status).to.equal(401);
      }
    }

    async function memberWithEditors(): Promise<{ member: Person; pad: string; editors: PadClient[] }> {
      const member = await two.fixture.person('member');
      const group = await one.fixture.group(owner);
      await one.fixture.invite(owner, group, [member.login]);
      const pads = [await one.fixture.pad(owner, group), await one.fixture.pad(owner, group)];
      // Each process has read the session once.
      await onEach(({ api }) => succeed(api('GET', 'group', { token: member.token })));
      const editors = [
        await open(two, pads[0] ?? '', member.cookie),
        await open(one, pads[1] ?? '', member.cookie),
      ];
      return { member, pad: pads[0] ?? '', editors };
    }

    it('a session at a sign-out', async () => {
      const { member, pad, editors } = await memberWithEditors();
      await succeed(one.api('POST', 'auth/logout', { token: member.token }));
      await expectEnded(member, pad, editors);
    });

    it('all other sessions at a new password', async () => {
      const { member, pad, editors } = await memberWithEditors();
      const { token } = await one.fixture.signIn(member.login);
      const body = { password: 'another long password', currentPassword: password };
      await succeed(one.api('PUT', `user/${member.login}`, { token, body }));
      await expectEnded(member, pad, editors);
      const { login } = member;
      const signIns = await onEach(async ({ api }) => [
        (await api('POST', 'auth/login', { body: { login, password } })).status,
        (await api('POST', 'auth/login', { body: { login, password: body.password } })).status,
      ]);
      expect(signIns).to.deep.equal(all.map(() => [400, 200]));
    });

    it('everything of an account that is removed', async () => {
      const { member, pad, editors } = await memberWithEditors();
      const { login, token } = member;
      await succeed(one.api('DELETE', `user/${login}`, { token, body: { currentPassword: password } }));
      await expectEnded(member, pad, editors);
      const signIns = await onEach(({ api }) => api('POST', 'auth/login', { body: { login, password } }));
      expect(signIns.map(({ status }) => status)).to.deep.equal(all.map(() => 400));
      const again = { login, password, email: 'somebody.else@example.org' };
      await succeed(two.api('POST', 'user', { body: again }));
    });

    it('everything of an account that is deactivated', async () => {
      const { member, pad, editors } = await memberWithEditors();
      const token = await administrator(one);
      await succeed(one.api('PUT', `user/${member.login}`, { token, body: { active: false } }));
      await expectEnded(member, pad, editors);
    });
  });

  interface Right {
    group: string;
    pad: string;
    member: Person;
  }
  const losses: Record<string, { guest?: boolean; change: (right: Right) => Promise<unknown> }> = {
    'a person is removed from the folder': { change: ({ group }) => one.fixture.invite(owner, group, []) },
    'the folder is not public any more': {
      guest: true,
      change: ({ group }) => one.fixture.change(owner, `group/${group}`, { visibility: 'restricted' }),
    },
    'the pad gets a password': {
      guest: true,
      change: ({ pad }) =>
        one.fixture.change(owner, `pad/${pad}`, { visibility: 'private', password: 'secret' }),
    },
    'the pad becomes read-only': {
      change: ({ pad }) => one.fixture.change(owner, `pad/${pad}`, { readonly: true }),
    },
    'the folder is removed': {
      change: ({ group }) => succeed(one.api('DELETE', `group/${group}`, { token: owner.token, body: {} })),
    },
  };
  for (const [title, { guest = false, change }] of Object.entries(losses)) {
    it(`close editors everywhere within a second when ${title}`, async () => {
      const member = await two.fixture.person('member');
      const group = await one.fixture.group(owner, guest ? { visibility: 'public' } : {});
      await one.fixture.invite(owner, group, [member.login]);
      const pad = await one.fixture.pad(owner, group);
      const { cookie } = guest ? { cookie: '' } : member;
      const editor = await open(two, pad, cookie);
      const bystander = await open(
        two,
        await one.fixture.pad(owner, await one.fixture.group(owner)),
        owner.cookie,
      );
      await change({ group, pad, member });
      await editor.gone();
      editor.sendChange('too late');
      await bystander.write('still open');
      bystander.close();
      if (!title.includes('read-only')) {
        expect((await two.get(`/p/${pad}/export/txt`, { cookie })).status).to.be.oneOf([401, 404]);
      }
    });
  }

  it('open a pad that one of them shares alone, or gives to who asks, and close it when that ends', async () => {
    const person = await two.fixture.person('person');
    const group = await one.fixture.group(owner);
    const pad = await one.fixture.pad(owner, group);
    const endShare = () =>
      succeed(two.api('DELETE', `pad/${pad}/people/${person.login}`, { token: owner.token }));
    async function expectRefused(): Promise<void> {
      const refused = await PadClient.connect(two, person.cookie);
      expect(await refused.join(pad)).to.equal('refused');
      refused.close();
    }
    const grants: Record<string, () => Promise<unknown>> = {
      'shared in the first': () => one.fixture.sharePad(owner, pad, 'writer', [person.login]),
      'asked for in the second, given in the first': async () => {
        await succeed(two.api('POST', `pad/${pad}/requests`, { token: person.token, body: {} }));
        const open = async () => {
          const { body } = await one.api('GET', 'requests', { token: owner.token });
          return (body as { value: { _id: string }[] }).value[0]?._id;
        };
        await until('the owner sees it', async () => (await open()) !== undefined);
        const answer = { token: owner.token, body: { role: 'writer' } };
        await succeed(one.api('PUT', `requests/${await open()}`, answer));
      },
    };
    for (const [how, grant] of Object.entries(grants)) {
      await expectRefused();
      await grant();
      const editor = await open(two, pad, person.cookie);
      await editor.write(`${how}. `);
      await endShare();
      await editor.gone();
      await expectRefused();
    }
  });

  it('forget the name of a person whose account one of them has removed', async () => {
    const leaving = await one.fixture.person('leaving');
    const group = await one.fixture.group(owner);
    await one.fixture.invite(owner, group, [leaving.login]);
    const pads = await onEach(({ fixture }) => fixture.pad(owner, group));
    const namesIn = (process: Process, index: number) => async (): Promise<string> => {
      const reader = await open(process, pads[index] ?? '', owner.cookie);
      const welcome = reader.messages.find(({ type }) => type === 'CLIENT_VARS');
      reader.close();
      const { historicalAuthorData } = welcome?.data?.collab_client_vars ?? {};
      return Object.values(historicalAuthorData ?? {})
        .map((author) => author?.name)
        .join();
    };
    for (const [index, process] of all.entries()) {
      const writer = await open(process, pads[index] ?? '', leaving.cookie);
      await writer.write('Written before leaving. ');
      writer.close();
      expect(await namesIn(process, index)()).to.include(leaving.login);
    }
    const body = { currentPassword: password };
    await succeed(one.api('DELETE', `user/${leaving.login}`, { token: leaving.token, body }));
    await onEach(async (process, index) => {
      const names = namesIn(process, index);
      await until('the name is gone', async () => !(await names()).includes(leaving.login));
    });
  });

  describe('with a pad that one of them has open', () => {
    let group: string;
    let pad: string;
    let editor: PadClient;

    beforeEach(async () => {
      group = await one.fixture.group(owner);
      pad = await one.fixture.pad(owner, group);
      editor = await open(two, pad, owner.cookie);
    });
    afterEach(() => editor.close());

    it('remove it, and nothing of it comes back', async () => {
      await editor.write('some text');
      const { database, close } = await several.database.connect();
      try {
        editor.sendChange('more text');
        await succeed(one.api('DELETE', `pad/${pad}?permanent=true`, { token: owner.token, body: {} }));
        editor.sendChange('even more');
        await editor.gone();
        const told = editor.messages.flatMap(
          ({ disconnect, accessStatus }) => disconnect ?? accessStatus ?? [],
        );
        expect([...new Set(told)]).to.deep.equal(['deleted', 'deny']);
        expect((await two.get(`/p/${pad}/export/txt`)).status).to.equal(404);
        const left = async () => [
          ...(await database.findKeys(`pad:${pad}*`, null)),
          ...(await database.findKeys(`pad2readonly:${pad}*`, null)),
        ];
        await until('nothing is left', async () => (await left()).length === 0);
        // Longer than Etherpad needs for writes that are still in its buffer.
        await new Promise((resolve) => setTimeout(resolve, 500));
        expect(await left()).to.deep.equal([]);
      } finally {
        await close();
      }
    });

    it('remove its chat, and later messages stay', async () => {
      for (const text of ['first', 'second']) {
        const seen = editor.next(text, (message) => JSON.stringify(message).includes(text));
        editor.sendChat(text);
        await seen;
      }
      await succeed(one.api('DELETE', `pad/chathistory/${pad}`, { token: owner.token }));
      const seen = editor.next('later', (message) => JSON.stringify(message).includes('later'));
      editor.sendChat('later');
      await seen;
      const { database, close } = await several.database.connect();
      try {
        const chat = async (): Promise<string[]> => {
          const keys = await database.findKeys(`pad:${pad}:chat:*`, null);
          const messages = await Promise.all(keys.map((key) => database.get(key)));
          return messages.map((message) => (message as { text: string }).text);
        };
        await until('only the later message is left', async () => (await chat()).join() === 'later');
        // Etherpad 2 writes this record a moment later.
        const chatHead = async () => ((await database.get(`pad:${pad}`)) as { chatHead: number }).chatHead;
        await until('Etherpad counts it', async () => (await chatHead()) === 0);
      } finally {
        await close();
      }
    });

    it('copy what was written a moment ago, and the copy is a pad of its own', async () => {
      await editor.write('a moment ago ');
      const copied = await succeed(
        one.api('POST', `pad/${pad}/duplicate`, { token: owner.token, body: { name: 'A copy' } }),
      );
      const { key } = copied.body as { key: string };
      const copy = await open(two, key, owner.cookie);
      expect(copy.text).to.include('a moment ago');
      await copy.write('only here ');
      await editor.write('only there ');
      expect([copy.text.includes('only there'), editor.text.includes('only here')]).to.deep.equal([
        false,
        false,
      ]);
      copy.close();
    });

    it('move it to another folder, and its people go on writing', async () => {
      const target = await two.fixture.group(owner);
      await one.fixture.change(owner, `pad/${pad}`, { group: target });
      await editor.write('in the other folder');
      for (const { api } of all) {
        const { body } = await api('GET', `group/${target}`, { token: owner.token });
        expect(Object.keys((body as { pads: object }).pads)).to.deep.equal([pad]);
      }
    });

    it('refuse it to whoever the proxy sends elsewhere, say so in the log, and let them in when it is free', async () => {
      await editor.write('here ');
      const late = await PadClient.connect(one, owner.cookie);
      expect(await late.tryJoin(pad)).to.equal('disconnected');
      const text = await one.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
      expect([text.status, errorOf(text)]).to.deep.equal([503, 'BACKEND.ERROR.SERVER.BUSY']);
      expect(one.log()).to.include(`pad is open in another process, visitor refused {"pad":"${pad}"}`);
      await editor.write('and here ');
      editor.close();
      const entered = await PadClient.enter(one, owner.cookie, pad);
      expect(entered.text).to.include('and here here');
      await entered.write('and there ');
      const back = await PadClient.connect(two, owner.cookie);
      expect(await back.tryJoin(pad)).to.equal('disconnected');
      entered.close();
    });
  });
});
