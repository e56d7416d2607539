import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import type { MailAction } from '../../model/mail/texts';
import { createModel } from '../../model/model';
import { createMailTokens, type MailTokens, tokenMinutes } from '../../model/people/mailToken';
import type { UserRecord } from '../../model/store/entities';
import { createTestPorts } from '../support/app';

const incorrect = 'BACKEND.ERROR.TOKEN.INCORRECT';
const expired = 'BACKEND.ERROR.TOKEN.EXPIRED';
const minute = 60_000;
const day = 24 * 60 * minute;

async function startTokens() {
  const { closeDatabase, ...ports } = await createTestPorts();
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
    ada = await fixture.model.users.register({
      login: 'ada',
      email: 'ada@example.org',
      password: 'password-1',
      active: false,
    });
  });
  afterEach(() => fixture.close());

  async function stored(): Promise<string> {
    const found = await fixture.model.store.scan('mypads:mailtoken:');
    return JSON.stringify(
      await Promise.all(found.map(async (key) => [key, await fixture.model.store.get(key)])),
    );
  }

  it('cannot be read out of the database', async () => {
    for (const action of ['passrecover', 'accountconfirm'] as const) {
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
      expect(await use(fixture.tokens, token, action)).to.equal('ada');
      expect(await stored()).to.equal('[]');
    }
  });

  it('are valid for one purpose only', async () => {
    const recovery = await fixture.tokens.issue(ada, 'passrecover');
    const confirmation = await fixture.tokens.issue(ada, 'accountconfirm');
    expect(await use(fixture.tokens, recovery.token, 'accountconfirm')).to.equal(incorrect);
    expect(await use(fixture.tokens, confirmation.token, 'passrecover')).to.equal(incorrect);
    expect(await use(fixture.tokens, recovery.token, 'passrecover')).to.equal('ada');
    expect(await use(fixture.tokens, confirmation.token, 'accountconfirm')).to.equal('ada');
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

  it('are valid for the time that was set when they were made', async () => {
    fixture.last('120');
    const { token, minutes } = await fixture.tokens.issue(ada, 'passrecover');
    fixture.last(1);
    expect(minutes).to.equal(120);
    fixture.ports.advance(119 * minute);
    expect(await use(fixture.tokens, token)).to.equal('ada');
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

  it('are valid for the minutes of a valid setting, number or text, else for an hour (B5)', () => {
    const valid: [unknown, number][] = [
      [1, 1],
      ['120', 120],
      [' 5 ', 5],
      [90.9, 90],
      [10_080, 10_080],
    ];
    for (const [setting, minutes] of valid) expect(tokenMinutes(setting)).to.equal(minutes);
    const numbers = [0, -5, 0.5, '1e99', Number.NaN, Number.POSITIVE_INFINITY];
    for (const setting of [...numbers, 'soon', '', ' ', null, undefined, true, [5], {}])
      expect(tokenMinutes(setting), `${typeof setting} ${JSON.stringify(setting)}`).to.equal(60);
  });
});
