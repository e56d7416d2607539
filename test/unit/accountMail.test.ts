/** The links in emails about accounts. What callers see of them is in test/network/mail.test.ts. */
import { expect } from 'chai';
import type { UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { checkEach } from '../support/cases';
import { signIn } from '../support/factories';
import { incorrect, person, root, tokenIn, useMailFixture } from '../support/mailFixture';
import { casSettings } from '../support/signInServices';

describe('a mail to recover an account', () => {
  const { fixture, register, recover, complete } = useMailFixture();
  const users = () => fixture.app.model.users;
  const idle = () => fixture.app.model.jobs.idle();

  async function registered(login: string): Promise<UserRecord> {
    const { _id } = (await register(person(login)).expect(200)).body.value;
    return (await fixture.stored(_id)) as UserRecord;
  }

  it('is answered before the account is looked for, so that the time reveals nothing', async () => {
    await fixture.startMail();
    let find = (): void => {};
    const found = new Promise<undefined>((resolve) => {
      find = () => resolve(undefined);
    });
    users().findByEmail = () => found;
    await recover('ada@example.org').expect(200);
    find();
    await idle();
  });

  it('takes the same work before and after the answer, for a known and an unknown address', async () => {
    const mail = await fixture.startMail();
    await registered('ada');
    /** The connections to the mail server, before the answer and after it. */
    const work = async (email: string): Promise<[number, number]> => {
      const start = mail.connections();
      await recover(email).expect(200);
      const answered = mail.connections();
      await idle();
      return [answered - start, mail.connections() - answered];
    };
    // The first request also makes a connection that checks the mail server.
    expect(await work('first@example.org')).to.deep.equal([1, 1]);
    expect(await work('nobody@example.org')).to.deep.equal([0, 1]);
    expect(await work('ada@example.org')).to.deep.equal([0, 1]);
    expect(mail.received.map(({ to }) => to)).to.deep.equal([['ada@example.org']]);
  });

  it('goes to the address of the account, not to the one that was typed', async () => {
    const mail = await fixture.startMail();
    await fixture.set({ insensitiveMailMatch: true });
    await registered('ada');
    await recover('ADA@Example.org');
    expect((await mail.next()).to).to.deep.equal(['ada@example.org']);
  });

  it('is not sent for an account that an administrator closed, in 1.x too', async () => {
    const mail = await fixture.startMail();
    const ada = await registered('ada');
    // An administrator of 1.x could write any value.
    for (const closed of [{ closed: true }, ...[false, 0, null, ''].map((active) => ({ active }))]) {
      const record = { ...ada, active: false, ...closed, groups: ['folder'] };
      await fixture.app.ports.database.set(keys.user(ada._id), record);
      expect((await fixture.login('ada', 'secret of ada')).body.error).to.match(/ACTIVATION_NEEDED/);
      await recover('ada@example.org');
      await idle();
    }
    expect(mail.received).to.deep.equal([]);
  });

  it('opens an account that has waited since 1.x for its confirmation, also if it was added to a folder', async () => {
    const mail = await fixture.startMail();
    const ada = await registered('ada');
    await fixture.app.ports.database.set(keys.user(ada._id), { ...ada, active: false });
    await users().addGroups(ada._id, { groups: ['folder'] });
    await recover('ada@example.org');
    await complete(tokenIn(await mail.next(), 'passrecover'), 'a new secret').expect(200);
    await signIn(fixture.app, 'ada', 'a new secret');
  });

  it('is refused with one error after the other, in a fixed order', async () => {
    const ask = async (email: string): Promise<string> => (await recover(email)).body.error ?? 'no error';
    await fixture.set({ authCasSettings: casSettings, authMethod: 'cas' });
    expect(await ask('x')).to.equal('BACKEND.ERROR.AUTHENTICATION.NO_RECOVER');
    await fixture.set({ authMethod: 'internal', rootUrl: '' });
    expect(await ask('x')).to.equal('BACKEND.ERROR.TYPE.MAIL');
    expect(await ask('x@example.org')).to.equal('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
    await fixture.set({ rootUrl: root });
    expect(await ask('x@example.org')).to.equal('BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED');
    await fixture.startMail();
    users().isReady = () => false;
    expect(await ask('x@example.org')).to.equal('BACKEND.ERROR.SERVER.BUSY');
  });

  it('opens no account that an administrator closes while the new password is hashed', async () => {
    const mail = await fixture.startMail();
    const ada = await registered('ada');
    await recover('ada@example.org');
    const token = tokenIn(await mail.next(), 'passrecover');
    const { hasher } = fixture.app.ports;
    const { hash } = hasher;
    hasher.hash = async (text) => {
      await users().updateProfile(ada._id, { active: false });
      return hash(text);
    };
    expect((await complete(token, 'a new secret')).body).to.deep.equal(incorrect);
    const now = await users().get(ada._id);
    expect(now).to.include({ active: false, closed: true });
    expect(now?.password).to.deep.equal(ada.password);
  });

  it('has a link that is checked before the passwords', async () => {
    await fixture.startMail();
    expect((await complete('0'.repeat(64), 'a', 'b')).body).to.deep.equal(incorrect);
  });

  it('has a link below the address of the server, as an earlier version may have stored it', async () => {
    const mail = await fixture.startMail();
    await registered('ada');
    await checkEach(
      {
        'https://pads.example.org': 'https://pads.example.org',
        'https://pads.example.org/': 'https://pads.example.org',
        'http://pads.example.org:9001/a/b//': 'http://pads.example.org:9001/a/b',
        '': undefined,
        'pads.example.org': undefined,
        'javascript:alert(1)': undefined,
        'ftp://pads.example.org': undefined,
        '//pads.example.org': undefined,
        'https://user:secret@pads.example.org/?x#y': undefined,
      },
      async (base, stored) => {
        await fixture.app.ports.database.set(keys.conf('rootUrl'), stored);
        await fixture.app.model.configuration.refresh();
        const { body } = await recover('ada@example.org');
        if (base !== undefined) return void tokenIn(await mail.next(), 'passrecover', base);
        expect(body.error).to.equal('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
      },
    );
  });
});
