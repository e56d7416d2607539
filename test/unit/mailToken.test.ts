import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import type { MailAction } from '../../model/mail/texts';
import { createModel, type Model } from '../../model/model';
import { createMailTokens, type MailTokens, tokenMinutes } from '../../model/people/mailToken';
import type { UserRecord } from '../../model/store/entities';
import { createTestPorts, type PortsOptions, temporaryFolder } from '../support/app';

const incorrect = 'BACKEND.ERROR.TOKEN.INCORRECT';
const expired = 'BACKEND.ERROR.TOKEN.EXPIRED';
const minute = 60_000;
const day = 24 * 60 * minute;

async function startTokens(options: PortsOptions = {}) {
  const { closeDatabase, ...ports } = await createTestPorts(options);
  const model = await createModel(ports);
  await model.users.ready;
  let duration: unknown = 60;
  const tokens = createMailTokens({
    store: model.store,
    users: model.users,
    tokenDuration: () => duration,
    now: model.now,
  });
  return {
    model,
    tokens,
    ports,
    last: (minutes: unknown) => {
      duration = minutes;
    },
    async close() {
      await model.close();
      await closeDatabase();
    },
  };
}

type Fixture = Awaited<ReturnType<typeof startTokens>>;

function register(model: Model, login: string): Promise<UserRecord> {
  return model.users.register({
    login,
    email: `${login}@example.org`,
    password: 'password-1',
    active: false,
  });
}

/** The result of using a token: the login of its account, or the error key. */
async function use(tokens: MailTokens, token: unknown, action: MailAction = 'passrecover'): Promise<string> {
  try {
    return await tokens.use(token, action, async (user) => user.login);
  } catch (error) {
    if (error instanceof MyPadsError) return error.key;
    throw error;
  }
}

describe('the tokens of mailed links', () => {
  let fixture: Fixture;
  let ada: UserRecord;
  beforeEach(async () => {
    fixture = await startTokens();
    ada = await register(fixture.model, 'ada');
  });
  afterEach(() => fixture.close());

  async function stored(): Promise<string> {
    const found = await fixture.model.store.scan('mypads:mailtoken:');
    return JSON.stringify(
      await Promise.all(found.map(async (key) => [key, await fixture.model.store.get(key)])),
    );
  }

  for (const action of ['passrecover', 'accountconfirm'] as const) {
    it(`${action}: work once and never again`, async () => {
      const { token } = await fixture.tokens.issue(ada, action);
      expect(await use(fixture.tokens, token, action)).to.equal('ada');
      expect(await use(fixture.tokens, token, action)).to.equal(incorrect);
      expect(await stored()).to.equal('[]');
    });

    it(`${action}: work once when they are used twenty times at the same moment`, async () => {
      const { token } = await fixture.tokens.issue(ada, action);
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => use(fixture.tokens, token, action)),
      );
      expect(outcomes.filter((outcome) => outcome === 'ada')).to.have.length(1);
      expect(outcomes.filter((outcome) => outcome === incorrect)).to.have.length(19);
    });

    it(`${action}: cannot be read out of the database`, async () => {
      const { token } = await fixture.tokens.issue(ada, action);
      expect(token).to.match(/^[0-9a-f]{64}$/);
      const everything = await stored();
      expect(everything).to.include(ada._id);
      expect(everything).not.to.include(token);
      expect(everything).not.to.include(Buffer.from(token, 'hex').toString('base64').slice(0, 40));
      expect(everything).not.to.include('ada@example.org');
      const [key] = await fixture.model.store.scan('mypads:mailtoken:');
      expect(key?.length).to.be.at.most(100);
      expect(await use(fixture.tokens, key?.split(':').pop(), action)).to.equal(incorrect);
    });

    it(`${action}: end when the address changes`, async () => {
      const { token } = await fixture.tokens.issue(ada, action);
      await fixture.model.users.updateProfile(ada._id, { email: 'new@example.org' });
      expect(await use(fixture.tokens, token, action)).to.equal(incorrect);
    });

    it(`${action}: end when the account is removed or closed by an administrator`, async () => {
      const first = await fixture.tokens.issue(ada, action);
      await fixture.model.users.updateProfile(ada._id, { active: false });
      expect(await use(fixture.tokens, first.token, action)).to.equal(incorrect);
      await fixture.model.users.updateProfile(ada._id, { active: true });
      expect(await use(fixture.tokens, first.token, action)).to.equal('ada');
      const second = await fixture.tokens.issue(ada, action);
      await fixture.model.users.remove(ada._id, async () => {});
      expect(await use(fixture.tokens, second.token, action)).to.equal(incorrect);
    });
  }

  it('are valid for one purpose only', async () => {
    const recovery = await fixture.tokens.issue(ada, 'passrecover');
    const confirmation = await fixture.tokens.issue(ada, 'accountconfirm');
    expect(await use(fixture.tokens, recovery.token, 'accountconfirm')).to.equal(incorrect);
    expect(await use(fixture.tokens, confirmation.token, 'passrecover')).to.equal(incorrect);
    expect(await use(fixture.tokens, recovery.token, 'passrecover')).to.equal('ada');
    expect(await use(fixture.tokens, confirmation.token, 'accountconfirm')).to.equal('ada');
  });

  it('end when the password changes, also when it becomes the same again', async () => {
    const change = { address: 'new@example.org', id: 'wish' };
    const wanting = await fixture.model.users.updateProfile(ada._id, { pendingEmail: change });
    const issued = [
      await fixture.tokens.issue(wanting, 'passrecover'),
      await fixture.tokens.issue(wanting, 'accountconfirm'),
      await fixture.tokens.issue(wanting, 'emailchange', change.id),
    ];
    await fixture.model.users.updateProfile(ada._id, { password: 'password-1' });
    for (const [index, action] of (['passrecover', 'accountconfirm', 'emailchange'] as const).entries()) {
      expect(await use(fixture.tokens, issued[index]?.token, action)).to.equal(incorrect);
    }
  });

  it('of a change of the address are valid for the pending address only', async () => {
    const { users } = fixture.model;
    const first = await users.updateProfile(ada._id, {
      pendingEmail: { address: 'new@example.org', id: 'one' },
    });
    const { token } = await fixture.tokens.issue(first, 'emailchange', 'one');
    await users.updateProfile(ada._id, { pendingEmail: { address: 'new@example.org', id: 'two' } });
    expect(await use(fixture.tokens, token, 'emailchange')).to.equal(incorrect);
    await users.updateProfile(ada._id, { email: 'ada@example.org' });
    const none = await fixture.tokens.issue(await users.updateProfile(ada._id, {}), 'emailchange');
    expect(await use(fixture.tokens, none.token, 'emailchange')).to.equal(incorrect);
  });

  it('are refused when they end while they are being used', async () => {
    const { token } = await fixture.tokens.issue(ada, 'passrecover');
    const late = fixture.tokens.use(token, 'passrecover', async (user, requireValid) => {
      requireValid(user);
      requireValid({ ...user, closed: true });
    });
    expect(await late.catch((error: MyPadsError) => error.key)).to.equal(incorrect);
  });

  it('of two recoveries at the same moment: one sets the password, the other is refused', async () => {
    const issued = await Promise.all([1, 2, 3].map(() => fixture.tokens.issue(ada, 'passrecover')));
    const outcomes = await Promise.allSettled(
      issued.map(({ token }, index) =>
        fixture.tokens.use(token, 'passrecover', async (user) => {
          await fixture.model.users.updateProfile(user._id, { password: `new-password-${index}` });
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
  });

  it('stay valid when their use fails', async () => {
    const { token } = await fixture.tokens.issue(ada, 'passrecover');
    const failure = new Error('the database is away');
    const attempt = fixture.tokens.use(token, 'passrecover', () => Promise.reject(failure));
    expect(await attempt.catch((error: unknown) => error)).to.equal(failure);
    expect(await use(fixture.tokens, token)).to.equal('ada');
  });

  it('can be withdrawn when their mail could not be sent', async () => {
    const { token, withdraw } = await fixture.tokens.issue(ada, 'accountconfirm');
    await withdraw();
    expect(await use(fixture.tokens, token, 'accountconfirm')).to.equal(incorrect);
  });

  it('work until they expire, and are then reported as expired', async () => {
    const { token, minutes } = await fixture.tokens.issue(ada, 'passrecover');
    expect(minutes).to.equal(60);
    fixture.ports.advance(59 * minute);
    const early = await fixture.tokens.issue(ada, 'passrecover');
    expect(await use(fixture.tokens, token)).to.equal('ada');
    fixture.ports.advance(60 * minute);
    expect(await use(fixture.tokens, early.token)).to.equal(expired);
    expect(await use(fixture.tokens, early.token)).to.equal(expired);
  });

  it('are valid for the time that was set when they were made', async () => {
    fixture.last('120');
    const { token, minutes } = await fixture.tokens.issue(ada, 'passrecover');
    fixture.last(1);
    expect(minutes).to.equal(120);
    fixture.ports.advance(119 * minute);
    expect(await use(fixture.tokens, token)).to.equal('ada');
  });

  it('that are invalid are refused, of every kind', async () => {
    const odd = [
      '',
      'x',
      '__proto__',
      'constructor',
      '0'.repeat(64),
      'f'.repeat(1000),
      '*',
      undefined,
      null,
      7,
      {},
      [[]],
    ];
    for (const token of odd) expect(await use(fixture.tokens, token)).to.equal(incorrect);
  });

  it('are deleted a week after they expire, no earlier', async () => {
    const { token } = await fixture.tokens.issue(ada, 'passrecover');
    fixture.ports.advance(60 * minute + 7 * day - minute);
    await fixture.tokens.issue(ada, 'accountconfirm');
    await fixture.tokens.sweep();
    expect(await use(fixture.tokens, token)).to.equal(expired);
    fixture.ports.advance(2 * minute);
    await fixture.tokens.sweep();
    expect(await use(fixture.tokens, token)).to.equal(incorrect);
    expect(JSON.parse(await stored())).to.have.length(1);
  });

  it('survive a restart, and stay used after it', async () => {
    const folder = temporaryFolder();
    const file = `${folder.path}/dirty.db`;
    try {
      let running = await startTokens({ file });
      const user = await register(running.model, 'grace');
      const first = await running.tokens.issue(user, 'passrecover');
      const second = await running.tokens.issue(user, 'accountconfirm');
      expect(await use(running.tokens, second.token, 'accountconfirm')).to.equal('grace');
      await running.close();
      running = await startTokens({ file });
      expect(await use(running.tokens, second.token, 'accountconfirm')).to.equal(incorrect);
      expect(await use(running.tokens, first.token)).to.equal('grace');
      await running.close();
    } finally {
      folder.remove();
    }
  });

  describe('are valid for an hour (B5)', () => {
    for (const setting of [
      0,
      -5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      'soon',
      '',
      ' ',
      null,
      undefined,
      true,
      [5],
      {},
      '1e99',
      0.5,
    ]) {
      it(`when the setting is ${typeof setting} ${JSON.stringify(setting)}`, () => {
        expect(tokenMinutes(setting)).to.equal(60);
      });
    }
  });

  it('are valid for the minutes of a valid setting, number or text', () => {
    for (const [setting, minutes] of [
      [1, 1],
      ['120', 120],
      [' 5 ', 5],
      [90.9, 90],
      [10_080, 10_080],
    ] as const) {
      expect(tokenMinutes(setting)).to.equal(minutes);
    }
  });
});
