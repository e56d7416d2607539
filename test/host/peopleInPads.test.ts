/** Who has a pad open now: a number for everybody, names as far as the caller may see the people of the folder. */
import { expect } from 'chai';
import type { Person as WirePerson } from '../../api/answers';
import type { PresentAnswer } from '../../api/group/schema';
import type { Person } from '../support/hostFixture';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';
import { until } from '../support/waiting';

interface PadAnswer {
  present: { count: number; people: WirePerson[] };
}

describe('people who have a pad open', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad();
  let member: Person;
  let shy: Person;
  let visitor: Person;
  let group: string;
  let pad: string;
  let clients: PadClient[] = [];

  before(async () => {
    [member, shy, visitor] = [
      await fixture.person('member'),
      await fixture.person('shy'),
      await fixture.person('visitor'),
    ];
    for (const one of [owner, member, visitor]) {
      await fixture.change(one, `user/${one.login}`, { useLoginAndColorInPads: true });
    }
    await fixture.change(shy, `user/${shy.login}`, { useLoginAndColorInPads: false });
  });

  beforeEach(async () => {
    group = await fixture.group(owner, { visibility: 'public' });
    await fixture.invite(owner, group, [member.login, shy.login]);
    pad = await fixture.pad(owner, group);
  });

  afterEach(() => {
    for (const client of clients) client.close();
    clients = [];
  });

  async function enter(who: Person | undefined, id = pad): Promise<PadClient> {
    const client = await PadClient.writer(etherpad, who?.cookie, id);
    clients.push(client);
    return client;
  }

  const presentFor = async (who?: Person): Promise<PadAnswer['present']> =>
    ((await etherpad.api('GET', `pad/${pad}`, { token: who?.token })).body as PadAnswer).present;
  const read = async (call: string, who?: Person): Promise<PresentAnswer['value']> =>
    ((await etherpad.api('GET', call, { token: who?.token })).body as PresentAnswer).value;
  const inFolders = (who: Person) => read('overview/present', who);
  const inPads = (who?: Person) => read(`group/${group}/present`, who);
  const listFor = async (who?: Person): Promise<Record<string, number>> =>
    Object.fromEntries(Object.entries(await inPads(who)).map(([id, { count }]) => [id, count]));

  /** Waits for a number of people, because the answer may be a second old. */
  const untilCount = (count: number): Promise<void> =>
    until(`${count} people are there`, async () => (await presentFor()).count === count);

  it('are none at first', async () => {
    expect(await presentFor(owner)).to.deep.equal({ count: 0, people: [] });
    expect(await listFor(owner)).to.deep.equal({});
  });

  it('are counted once, until each closes the last editor', async () => {
    await enter(owner);
    const again = await enter({ ...owner, ...(await fixture.signIn(owner.login)) });
    const guest = await enter(undefined);
    await enter(visitor);
    await untilCount(3);
    expect(await listFor()).to.deep.equal({ [pad]: 3 });
    again.close();
    guest.close();
    await untilCount(2);
  });

  it('are named if they are members who use their name in pads, to those who see the members', async () => {
    for (const one of [owner, member, shy, visitor, undefined]) await enter(one);
    await untilCount(5);
    const logins = (people: WirePerson[]) => people.map(({ login }) => login).sort();
    const named = [member.login, owner.login];
    const full = (await presentFor(owner)).people;
    expect(logins(full)).to.deep.equal(named);
    expect(full.map(({ firstname }) => firstname).sort()).to.deep.equal(['member', 'owner']);
    for (const who of [member, visitor]) {
      const { people } = await presentFor(who);
      expect(logins(people), who.login).to.deep.equal(named);
      for (const person of people) expect(person).to.have.all.keys('_id', 'login', 'color');
    }
    expect(await presentFor()).to.deep.equal({ count: 5, people: [] });
  });

  it('are not named after they have left the folder, but counted while they may stay', async () => {
    for (const one of [owner, member]) await enter(one);
    await untilCount(2);
    await fixture.change(owner, `group/${group}/members`, { removed: [member.login] });
    const { count, people } = await presentFor(owner);
    expect([count, people.map(({ login }) => login)]).to.deep.equal([2, [owner.login]]);
  });

  it('are named in lists to those who see the members, and counted once in a folder', async () => {
    const second = await fixture.pad(owner, group);
    for (const one of [owner, member, shy, visitor, undefined]) await enter(one);
    await enter(owner, second);
    await untilCount(5);
    const named = [member.id, owner.id].sort();
    const sorted = ({ count, people }: { count: number; people: string[] }) => [count, [...people].sort()];
    for (const who of [owner, member]) {
      expect(sorted((await inFolders(who))[group] as never), who.login).to.deep.equal([5, named]);
    }
    for (const who of [owner, member, visitor]) {
      const list = await inPads(who);
      expect(sorted(list[pad] as never), who.login).to.deep.equal([5, named]);
      expect(list[second], who.login).to.deep.equal({ count: 1, people: [owner.id] });
    }
    expect((await inPads())[pad]).to.deep.equal({ count: 5, people: [] });
    expect(await inFolders(visitor)).to.deep.equal({});
    const body = { type: 'groups', key: group };
    await etherpad.api('POST', 'usermark', { token: visitor.token, body });
    expect(sorted((await inFolders(visitor))[group] as never)).to.deep.equal([5, named]);
  });

  it('do not change the lists themselves, which browsers have already', async () => {
    const tags = async () => {
      const calls = [`group/${group}`, 'overview'].map((call) =>
        etherpad.api('GET', call, { token: owner.token }),
      );
      return (await Promise.all(calls)).map(({ headers }) => headers.get('etag'));
    };
    const before = await tags();
    expect(before).not.to.include(null);
    await enter(member);
    await untilCount(1);
    expect(await tags()).to.deep.equal(before);
  });

  it('stay unknown where the folder asks for a password', async () => {
    await fixture.change(owner, `group/${group}`, { visibility: 'private', password: 'hemi1234' });
    await enter(member);
    await until('somebody is there', async () => Object.keys(await inPads(owner)).length === 1);
    expect(await inPads(visitor)).to.deep.equal({});
    expect(await inPads()).to.deep.equal({});
    const restricted = await fixture.group(owner, {});
    const { body } = await etherpad.api('GET', `group/${restricted}/present`, { token: visitor.token });
    expect(body).to.include({ error: 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD' });
  });

  it('are not reported for pads that the caller cannot see in the list', async () => {
    const hidden = await fixture.pad(owner, group, { visibility: 'restricted' });
    await enter(member, hidden);
    await enter(owner);
    await untilCount(1);
    expect(await listFor(member)).to.deep.equal({ [pad]: 1, [hidden]: 1 });
    expect(await listFor()).to.deep.equal({ [pad]: 1 });
    expect(await listFor(visitor)).to.deep.equal({ [pad]: 1 });
  });

  it('do not include people who were refused', async () => {
    const closed = await fixture.pad(owner, group, { visibility: 'restricted' });
    const client = await PadClient.connect(etherpad, visitor.cookie);
    clients.push(client);
    expect(await client.join(closed)).to.equal('refused');
    expect(await listFor(owner)).to.deep.equal({});
  });
});
