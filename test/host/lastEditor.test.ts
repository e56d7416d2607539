/** Who changed a pad last, as Etherpad reports the changes of open editors. */
import { expect } from 'chai';
import type { Person } from '../support/hostFixture';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';
import { until } from '../support/waiting';

describe('who changed a pad last', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad();
  let member: Person;
  let group: string;
  const clients: PadClient[] = [];

  before(async () => {
    member = await fixture.person('member');
    for (const one of [owner, member]) {
      await fixture.change(one, `user/${one.login}`, { useLoginAndColorInPads: true });
    }
    group = await fixture.group(owner, { visibility: 'public' });
    await fixture.invite(owner, group, [member.login]);
  });

  after(async () => {
    for (const client of clients) client.close();
  });

  async function enter(pad: string, who?: Person): Promise<PadClient> {
    const client = await PadClient.writer(etherpad, who?.cookie, pad);
    clients.push(client);
    return client;
  }

  /** The login of the last editor that the folder shows; `null` for a guest. */
  async function shown(pad: string): Promise<string | null | undefined> {
    const { body } = await etherpad.api('GET', `group/${group}`, { token: owner.token });
    const { pads, users } = body as {
      pads: Record<string, { lastUpdate: number | null; lastEditor?: string | null }>;
      users: Record<string, { login: string }>;
    };
    const { lastEditor } = pads[pad] ?? {};
    return typeof lastEditor === 'string' ? users[lastEditor]?.login : lastEditor;
  }
  const untilShown = (pad: string, login: string | null): Promise<void> =>
    until(`${login} is shown`, async () => (await shown(pad)) === login);

  it('is nobody until somebody writes, also if people look at the pad', async () => {
    const pad = await fixture.pad(owner, group);
    await enter(pad, owner);
    expect(await shown(pad)).to.equal(undefined);
  });

  it('is who writes, not who else has the pad open', async () => {
    const [first, second, third] = [
      await fixture.pad(owner, group),
      await fixture.pad(owner, group),
      await fixture.pad(owner, group),
    ];
    for (const pad of [first, second, third]) {
      const editors = [await enter(pad, owner), await enter(pad, member), await enter(pad)];
      await editors[[first, second, third].indexOf(pad)]?.write('Hello');
    }
    await untilShown(first, owner.login);
    await untilShown(second, member.login);
    await untilShown(third, null);
  });

  it('is who wrote last before the server stopped', async () => {
    const pad = await fixture.pad(owner, group);
    const [one, other] = [await enter(pad, owner), await enter(pad, member)];
    await one.write('I was first');
    await untilShown(pad, owner.login);
    await other.write('and I was last');
    await etherpad.restart();
    await untilShown(pad, member.login);
  });
});
