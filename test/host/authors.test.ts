/** Who wrote what: under the name of the account, and under none when the account is gone. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { type RunningEtherpad, startEtherpad } from '../support/etherpad';
import { createWorld, type Person, password, type World } from '../support/hostWorld';
import { PadClient } from '../support/socketClient';

interface Authors {
  data?: { collab_client_vars?: { historicalAuthorData?: Record<string, { name?: string | null } | null> } };
}

describe('the author of a text', function () {
  this.timeout(60_000);
  let etherpad: RunningEtherpad;
  let world: World;

  before(async () => {
    etherpad = await startEtherpad();
    world = createWorld(etherpad);
  });

  after(() => etherpad?.stop());

  /** The names of everybody who has written in the pad, as its readers get them. */
  async function namesIn(pad: string, reader: Person): Promise<unknown[]> {
    const client = await PadClient.connect(etherpad, reader.cookie);
    await client.knock(pad);
    const welcome = client.messages.find(({ type }) => type === 'CLIENT_VARS') as Authors | undefined;
    client.close();
    return Object.values(welcome?.data?.collab_client_vars?.historicalAuthorData ?? {}).map(
      (author) => author?.name ?? null,
    );
  }

  it('is forgotten with the account, and the text stays', async () => {
    const owner = await world.person('owner');
    const leaving = await world.person('leaving');
    const group = await world.group(owner, { users: [leaving.id] });
    const pad = await world.pad(owner, group);
    const writer = await PadClient.connect(etherpad, leaving.cookie);
    expect(await writer.knock(pad)).to.equal('write');
    await writer.write('Written before leaving. ');
    expect(await namesIn(pad, owner)).to.include(leaving.login);
    const removed = await etherpad.api('DELETE', `user/${leaving.login}`, {
      token: leaving.token,
      body: { currentPassword: password },
    });
    expect(removed.status).to.equal(200);
    await writer.gone();
    for (let tries = 0; (await namesIn(pad, owner)).includes(leaving.login); tries += 1) {
      expect(tries, 'the name is still there').to.be.below(50);
      await wait(100);
    }
    const text = await etherpad.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
    expect(text.body).to.include('Written before leaving.');
  });
});
