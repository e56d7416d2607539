/** Several people at the same time, in a real Etherpad. */
import { expect } from 'chai';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';

describe('people at the same time', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad();

  it('see each other write in one pad, and a third who was not invited sees nothing', async () => {
    const friend = await fixture.person('friend');
    const outsider = await fixture.person('outsider');
    const group = await fixture.group(owner);
    await fixture.invite(owner, group, [`${friend.login}@example.org`]);
    const pad = await fixture.pad(owner, group);
    const [one, two, three] = await Promise.all(
      [owner, friend, outsider].map(({ cookie }) => PadClient.connect(etherpad, cookie)),
    );
    if (!one || !two || !three) throw new Error('no connection');
    expect([await one.join(pad), await two.join(pad), await three.join(pad)]).to.deep.equal([
      'write',
      'write',
      'refused',
    ]);
    await one.write('from the owner, ');
    await two.sees('from the owner, ');
    await two.write('from the friend, ');
    await one.sees('from the friend, ');
    one.sendChat('hello in the chat');
    await two.next('the chat', (message) => JSON.stringify(message).includes('hello in the chat'));
    const text = (await etherpad.get(`/p/${pad}/export/txt`, { cookie: owner.cookie })).body;
    expect(text).to.contain('from the friend, from the owner, ');
    expect(JSON.stringify(three.messages)).to.not.match(/from the|hello/);
    for (const client of [one, two, three]) client.close();
  });

  it('find what they wrote in a copy of the pad, with its formatting and without its history', async () => {
    const group = await fixture.group(owner);
    const pad = await fixture.pad(owner, group);
    const writer = await PadClient.writer(etherpad, owner.cookie, pad);
    for (const text of ['one, ', 'two, ', 'three, ']) await writer.write(text);
    writer.close();
    const answer = await etherpad.api('POST', `pad/${pad}/duplicate`, {
      token: owner.token,
      body: { name: 'A copy' },
    });
    expect(answer.status).to.equal(200);
    const { key } = answer.body as { key: string };
    const text = async (id: string): Promise<string> =>
      String((await etherpad.get(`/p/${id}/export/txt`, { cookie: owner.cookie })).body);
    // Etherpad adds an empty line at the end of a copy.
    expect((await text(key)).trimEnd())
      .to.equal((await text(pad)).trimEnd())
      .and.to.contain('three, two, one');
    const copy = await PadClient.writer(etherpad, owner.cookie, key);
    await copy.write('only here, ');
    copy.close();
    expect(await text(key)).to.contain('only here, ');
    expect(await text(pad)).to.not.contain('only here');
    expect((await etherpad.get(`/p/${key}/export/txt`)).status).to.equal(401);
  });

  it('can open and write a copy of an empty pad', async () => {
    const group = await fixture.group(owner);
    const never = await fixture.pad(owner, group);
    const emptied = await fixture.pad(owner, group);
    const writer = await PadClient.writer(etherpad, owner.cookie, emptied);
    await writer.write('x');
    const erased = writer.next('the server to take it', ({ data }) => data?.type === 'ACCEPT_COMMIT');
    const change = { changeset: 'Z:2<1-1$', apool: { numToAttrib: {}, nextNum: 0 } };
    writer.send({ type: 'COLLABROOM', data: { type: 'USER_CHANGES', baseRev: writer.revision, ...change } });
    await erased;
    writer.close();
    for (const pad of [never, emptied]) {
      const { body } = await etherpad.api('POST', `pad/${pad}/duplicate`, {
        token: owner.token,
        body: { name: 'A copy' },
      });
      const { key } = body as { key: string };
      const text = () => etherpad.get(`/p/${key}/export/txt`, { cookie: owner.cookie });
      expect(await text()).to.include({ status: 200, body: '\n' });
      const copy = await PadClient.writer(etherpad, owner.cookie, key);
      await copy.write('first words');
      copy.close();
      expect((await text()).body).to.contain('first words');
    }
  });

  it('create twenty pads in one group: twenty pads, all linked, all open', async () => {
    const gid = await fixture.group(owner, { allowUsersToCreatePads: true });
    const people = await Promise.all(Array.from({ length: 20 }, () => fixture.person('creator')));
    await fixture.invite(
      owner,
      gid,
      people.map(({ login }) => login),
    );
    const ids = await Promise.all(
      people.map((person, number) => fixture.pad(person, gid, { name: `Pad ${number}` })),
    );
    const { value, pads } = (await etherpad.api('GET', `group/${gid}`, { token: owner.token })).body as {
      value: { pads: string[] };
      pads: Record<string, unknown>;
    };
    expect(new Set(ids).size).to.equal(20);
    expect(value.pads).to.have.members(ids);
    expect(Object.keys(pads)).to.have.members(ids);
    for (const id of ids) {
      const answer = await etherpad.get(`/p/${id}/export/txt`, { cookie: owner.cookie });
      expect(answer.status, 'the pad is there in the editor too').to.equal(200);
    }
  });
});
