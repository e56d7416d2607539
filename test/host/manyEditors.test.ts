/** Many open editors of one folder with a slow database: changes that happen while access is being decided. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { DomainEvent } from '../../model/events';
import type { GroupRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { type Person, signInAsAdmin } from '../support/hostFixture';
import type { Command } from '../support/remoteControl';
import { PadClient } from '../support/socketClient';
import { installTestPlugin } from '../support/testPlugins';
import { useEtherpad } from '../support/useEtherpad';

const editorCount = 30;

describe('many open editors', function () {
  this.timeout(300_000);
  const secret = randomBytes(16).toString('hex');
  let removePlugin: (() => void) | undefined;
  const { etherpad, fixture, owner } = useEtherpad({
    env: { REMOTE_CONTROL: secret },
    async beside(folder) {
      removePlugin = await installTestPlugin(folder, {
        name: 'ep_mypads_test_remote_control',
        source: 'remoteControl.ts',
        hooks: ['expressConfigure'],
      });
    },
  });
  after(() => removePlugin?.());
  let members: Person[];
  let cookies: string[];

  async function command(wanted: Command): Promise<unknown> {
    const headers = { authorization: secret, 'content-type': 'text/plain' };
    const body = JSON.stringify(wanted);
    const answer = await fetch(`${etherpad.url}/remote-control`, { method: 'POST', headers, body });
    expect(answer.status).to.equal(200);
    return ((await answer.json()) as { value: unknown }).value;
  }

  before(async () => {
    members = await Promise.all(Array.from({ length: 3 }, () => fixture.person('member')));
    // A session for each editor: two editors of one session in one pad are one author, and the older is disconnected.
    cookies = await Promise.all(
      Array.from({ length: editorCount }, async (_, place) => {
        const { login } = members[place % members.length] ?? owner;
        return (await fixture.signIn(login)).cookie;
      }),
    );
    await command({ do: 'fault', fault: { fault: 'delay' } });
  });

  /** Adds the members to the group and opens editors for them in a pad of it. */
  async function openEditors(group: string): Promise<{ pad: string; editors: PadClient[] }> {
    await fixture.invite(
      owner,
      group,
      members.map(({ login }) => login),
    );
    const pad = await fixture.pad(owner, group);
    const editors = await Promise.all(
      cookies.map(async (cookie) => {
        const editor = await PadClient.writer(etherpad, cookie, pad);
        return editor;
      }),
    );
    return { pad, editors };
  }

  it('can be opened while unrelated settings change all the time', async () => {
    const token = await signInAsAdmin(etherpad);
    let going = true;
    const change = async (): Promise<void> => {
      while (going) await etherpad.api('PUT', 'configuration/title', { token, body: { value: 'A title' } });
    };
    const changing = Promise.all(Array.from({ length: 5 }, change));
    const { editors } = await openEditors(await fixture.group(owner));
    await editors[0]?.write('we are in');
    going = false;
    await changing;
    expect(editors.filter(({ closed }) => closed)).to.have.length(0);
    for (const editor of editors) editor.close();
  });

  it('close when the right is lost while an earlier change is still being processed', async () => {
    const group = await fixture.group(owner);
    const { editors } = await openEditors(group);
    await fixture.change(owner, `group/${group}`, { visibility: 'public' });
    // By now nobody has lost access, and not all editors have been checked again.
    await fixture.change(owner, `group/${group}`, { visibility: 'restricted', users: [] });
    for (const editor of editors) await editor.gone();
  });

  it('cannot write from the moment when the right is lost, closed or not yet', async () => {
    const group = await fixture.group(owner);
    const { pad, editors } = await openEditors(group);
    await editors[0]?.write('in time ');
    await fixture.change(owner, `group/${group}`, { readonly: true });
    for (const editor of editors) editor.sendChange('too late ');
    for (const editor of editors) await editor.gone();
    const { body } = await etherpad.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
    expect(body).to.include('in time').and.not.include('too late');
  });

  /** Removes everybody but the owner from a group as another process would, without an event in this process. */
  async function emptyElsewhere(group: string): Promise<void> {
    const key = keys.group(group);
    const [record] = (await command({ do: 'calls', calls: [['get', key]] })) as [GroupRecord];
    await command({ do: 'calls', calls: [['set', key, { ...record, users: [] }]] });
  }

  it('close when another process reports that the right is lost', async () => {
    const group = await fixture.group(owner);
    const { editors } = await openEditors(group);
    await emptyElsewhere(group);
    const facts = { about: 'group', what: 'changed', id: group, before: null, after: null } as const;
    const access = { everybody: true, people: [] };
    const event: DomainEvent = { ...facts, access, by: { kind: 'server' }, time: Date.now() };
    await command({ do: 'hear', event });
    for (const editor of editors) await editor.gone();
  });

  it('close also when the message of another process was lost', async () => {
    const group = await fixture.group(owner);
    const staying = await openEditors(await fixture.group(owner));
    const { editors } = await openEditors(group);
    await emptyElsewhere(group);
    await command({ do: 'missed' });
    for (const editor of editors) await editor.gone();
    await staying.editors[0]?.write('still here');
    for (const editor of staying.editors) editor.close();
  });

  it('stay open for everybody but those who are taken out of a folder', async () => {
    const group = await fixture.group(owner);
    const { editors } = await openEditors(group);
    const staying = members.slice(1).map(({ login }) => login);
    await fixture.invite(owner, group, staying);
    const [out, others] = [editors.filter((_, at) => at % 3 === 0), editors.filter((_, at) => at % 3 !== 0)];
    for (const editor of out) await editor.gone();
    await others[0]?.write('still here');
    for (const editor of others) await editor.sees('still here');
    for (const editor of others) editor.close();
  });
});
