/** Accounts of 1.x that exist twice, with one login, address and password: people get the one that they use. */
import { expect } from 'chai';
import { createModel, type Model } from '../../model/model';
import { keys } from '../../model/store/store';
import { createTestPorts } from '../support/app';
import { oldPassword } from '../support/legacy';

describe('an account that exists twice', () => {
  let ports: Awaited<ReturnType<typeof createTestPorts>>;
  let model: Model;

  beforeEach(async () => {
    ports = await createTestPorts();
  });
  afterEach(async () => {
    await model.close();
    await ports.closeDatabase();
  });

  async function start(...accounts: object[]): Promise<void> {
    for (const [position, fields] of accounts.entries()) {
      const _id = `anna-${position + 1}`;
      const account = {
        _id,
        login: 'anna',
        email: 'anna@example.org',
        password: oldPassword,
        ctime: position,
        ...fields,
      };
      await ports.database.set(keys.user(_id), account);
    }
    model = await createModel(ports);
    await model.users.ready;
  }

  const signedIn = (name = 'anna') =>
    model.users.authenticate(name, 'correct hörse').then(
      ({ _id }) => _id,
      ({ message }: Error) => message,
    );
  const recovered = async () => (await model.users.findByEmail('anna@example.org'))?._id;

  it('opens as the one that was confirmed', async () => {
    await start({ active: false }, { active: true });
    expect(await signedIn()).to.equal('anna-2');
    expect(await signedIn('anna@example.org')).to.equal('anna-2');
    expect(await recovered()).to.equal('anna-2');
  });

  it('opens as the one with most folders, else as the oldest', async () => {
    await start({}, { groups: ['one'] }, { groups: ['one', 'two'] }, {}, {});
    expect(await signedIn()).to.equal('anna-3');
    expect(await recovered()).to.equal('anna-3');
    await model.close();
    await start({}, { groups: [] }, { groups: [] });
    expect([await signedIn(), await recovered()]).to.deep.equal(['anna-1', 'anna-1']);
  });

  it('stays closed if the one with most folders was closed', async () => {
    await start({}, { groups: ['one'], active: false, closed: true });
    expect(await signedIn()).to.equal('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
    expect(await recovered()).to.equal('anna-2');
  });

  it('says that it waits for its confirmation if none was confirmed', async () => {
    await start({ active: false }, { active: false });
    expect(await signedIn()).to.equal('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
  });

  it('gives nothing that is meant for an address to another account with more folders', async () => {
    await start({}, { login: 'mallory', groups: ['one', 'two'] });
    expect(await recovered()).to.equal('anna-1');
  });
});
