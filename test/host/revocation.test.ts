/** When somebody loses a right, their open editor closes at once, and not only when the page is loaded again. */
import { expect } from 'chai';
import type { Call } from '../support/etherpad';
import { type Credentials, type Person, password, signInAsAdmin } from '../support/hostFixture';
import { type JoinResult, PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';
import { until } from '../support/waiting';

interface Stage {
  group: string;
  pad: string;
  member: Person;
}

interface Loss {
  title: string;
  group?: Record<string, unknown>;
  pad?: Record<string, unknown>;
  /** The person who has the editor open. Default: the invited member. */
  who?: (stage: Stage) => Promise<Credentials>;
  change: (stage: Stage) => Promise<void>;
  /** What the person may do when they open the pad again. Default: nothing. */
  afterwards?: JoinResult;
}

describe('an open editor', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad();

  const secret = { visibility: 'private', password: 'secret' };
  const changeGroup = (body: Record<string, unknown>) => (stage: Stage) =>
    fixture.change(owner, `group/${stage.group}`, body);
  const changePad = (body: Record<string, unknown>) => (stage: Stage) =>
    fixture.change(owner, `pad/${stage.pad}`, body);
  const guest = async () => ({});
  const unlockedGroup = (stage: Stage) => fixture.unlock(`group/${stage.group}`, 'secret');
  const unlockedPad = (stage: Stage) => fixture.unlock(`pad/${stage.pad}`, 'secret', stage.member);

  async function succeed(method: string, path: string, call: Call): Promise<void> {
    expect((await etherpad.api(method, path, call)).status).to.equal(200);
  }

  /** The link that was opened last. */
  let opened: { _id: string; secret: string } | undefined;
  /** A guest with a link to the folder. */
  const byLink = (body: object) => async (stage: Stage) => {
    opened = await fixture.link(owner, `group/${stage.group}`, body);
    return fixture.openLink(opened.secret);
  };

  let stranger: Person | undefined;
  /** Somebody with whom the pad alone is shared. */
  const sharedAlone = async ({ pad }: Stage) => {
    stranger = await fixture.person('stranger');
    await fixture.sharePad(owner, pad, 'writer', [stranger.login]);
    return stranger;
  };

  /** The member, who may only read by now. */
  const asReader = async ({ group, member }: Stage) => {
    await fixture.change(owner, `group/${group}/members`, { readers: [member.login] });
    return member;
  };

  const losses: Loss[] = [
    { title: 'somebody is removed from the group', change: ({ group }) => fixture.invite(owner, group, []) },
    {
      title: 'somebody leaves the group',
      change: ({ group, member }) =>
        succeed('POST', 'group/resign', { token: member.token, body: { gid: group } }),
    },
    {
      title: 'the group is no longer public',
      group: { visibility: 'public' },
      who: guest,
      change: changeGroup({ visibility: 'restricted' }),
    },
    {
      title: 'the pad is no longer public',
      pad: { visibility: 'public' },
      who: guest,
      change: changePad({ visibility: 'restricted' }),
    },
    { title: 'the pad gets a password of its own', change: changePad(secret) },
    {
      title: "the group's password changes",
      group: secret,
      who: unlockedGroup,
      change: changeGroup({ password: 'another' }),
    },
    {
      title: "the pad's password changes",
      pad: secret,
      who: unlockedPad,
      change: changePad({ password: 'another' }),
    },
    { title: 'the group becomes readonly', change: changeGroup({ readonly: true }), afterwards: 'read' },
    { title: 'the pad becomes readonly', change: changePad({ readonly: true }), afterwards: 'read' },
    {
      title: 'the pad may be written again',
      pad: { readonly: true },
      change: changePad({ readonly: false }),
      afterwards: 'write',
    },
    {
      title: 'the link by which a guest came is ended',
      who: byLink({ role: 'writer' }),
      change: async () => succeed('DELETE', `links/${opened?._id}`, { token: owner.token }),
    },
    {
      title: 'the link becomes one for reading',
      who: byLink({ role: 'writer' }),
      change: async () =>
        succeed('PUT', `links/${opened?._id}`, { token: owner.token, body: { role: 'reader' } }),
      afterwards: 'read',
    },
    {
      title: 'the end of the link comes',
      who: byLink({ role: 'writer' }),
      change: async () => {
        const ends = Date.now() + 1_000;
        await succeed('PUT', `links/${opened?._id}`, { token: owner.token, body: { ends } });
        // That alone has closed nothing yet.
        await until('the link ends', () => Date.now() >= ends);
      },
    },
    {
      title: 'a writer becomes a reader',
      change: ({ group, member }) =>
        fixture.change(owner, `group/${group}/members`, { readers: [member.login] }),
      afterwards: 'read',
    },
    {
      title: 'a reader becomes a writer',
      who: asReader,
      change: ({ group, member }) =>
        fixture.change(owner, `group/${group}/members`, { users: [member.login] }),
      afterwards: 'write',
    },
    {
      title: 'a reader leaves the group',
      who: asReader,
      change: ({ group, member }) =>
        succeed('POST', 'group/resign', { token: member.token, body: { gid: group } }),
    },
    {
      title: 'the share of the pad ends',
      who: sharedAlone,
      change: async ({ pad }) =>
        succeed('DELETE', `pad/${pad}/people/${stranger?.login}`, { token: owner.token }),
    },
    {
      title: 'the share of the pad becomes one for reading',
      who: sharedAlone,
      change: async ({ pad }) => fixture.sharePad(owner, pad, 'reader', [stranger?.login ?? '']),
      afterwards: 'read',
    },
    {
      title: 'the person signs out',
      change: ({ member }) => succeed('POST', 'auth/logout', { token: member.token }),
    },
    {
      title: 'the person gets a new password in another browser',
      change: async ({ member }) => {
        const { token } = await fixture.signIn(member.login);
        const body = { password: 'a new password', currentPassword: password };
        return succeed('PUT', `user/${member.login}`, { token, body });
      },
    },
    {
      title: 'the account is deactivated',
      change: async ({ member }) => {
        const token = await signInAsAdmin(etherpad);
        await succeed('PUT', `user/${member.login}`, { token, body: { active: false } });
      },
    },
    {
      title: 'the account is removed',
      change: ({ member: { login, token } }) =>
        succeed('DELETE', `user/${login}`, { token, body: { currentPassword: password } }),
    },
    {
      title: 'the pad moves to a group of others',
      change: async ({ pad }) => fixture.change(owner, `pad/${pad}`, { group: await fixture.group(owner) }),
    },
    {
      title: 'the signed-in-only mode is switched on',
      group: { visibility: 'public' },
      who: guest,
      change: () => fixture.configure('allPadsPublicsAuthentifiedOnly', true),
    },
  ];

  for (const { title, group: groupFields, pad: padFields, who, change, afterwards = 'refused' } of losses) {
    it(`closes within a second when ${title}`, async () => {
      const member = await fixture.person('member');
      const group = await fixture.group(owner, groupFields);
      await fixture.invite(owner, group, [member.login]);
      const stage = { group, member, pad: await fixture.pad(owner, group, padFields) };
      const { cookie } = who ? await who(stage) : member;
      const editor = await PadClient.connect(etherpad, cookie);
      const bystander = await PadClient.connect(etherpad, owner.cookie);
      expect(await editor.join(stage.pad)).to.not.equal('refused');
      await bystander.join(await fixture.pad(owner, group, padFields));
      await change(stage);
      await editor.gone();
      const told = editor.messages.some(({ data }) => data?.type === 'EP_MYPADS_ACCESS_CHANGED');
      expect(told, 'the editor is told to load the page again').to.equal(true);
      const denied = editor.messages.some(({ accessStatus }) => accessStatus === 'deny');
      expect(denied, 'the editor says that it is closed').to.equal(afterwards === 'refused');
      const again = await PadClient.connect(etherpad, cookie);
      expect(await again.join(stage.pad)).to.equal(afterwards);
      for (const client of [again, bystander]) client.close();
      const { status } = await etherpad.get(`/p/${stage.pad}/export/txt`, { cookie });
      expect(status, 'with the same cookie').to.equal(afterwards === 'refused' ? 401 : 200);
      await fixture.configure('allPadsPublicsAuthentifiedOnly', false);
    });
  }

  for (const [title, path] of [
    ['the pad is removed', 'pad'],
    ['the group is removed', 'group'],
  ] as const) {
    it(`closes within a second when ${title}, and stays closed when the person writes on`, async () => {
      const group = await fixture.group(owner);
      const pad = await fixture.pad(owner, group);
      const editor = await PadClient.writer(etherpad, owner.cookie, pad);
      await editor.write('some text');
      await etherpad.api('DELETE', `${path}/${path === 'pad' ? pad : group}`, {
        token: owner.token,
        body: {},
      });
      editor.sendChange('more text');
      await editor.gone();
      const told = editor.messages.flatMap(
        ({ disconnect, accessStatus }) => disconnect ?? accessStatus ?? [],
      );
      // The denial is for the page of the history. An editor closes its connection after `deleted`.
      expect([...new Set(told)], 'what the editor is told').to.deep.equal(['deleted', 'deny']);
      expect((await etherpad.get(`/p/${pad}/export/txt`)).status).to.equal(404);
    });
  }

  it('stays open for people whom a change does not concern', async () => {
    const member = await fixture.person('member');
    const group = await fixture.group(owner, { visibility: 'public' });
    const pad = await fixture.pad(owner, group);
    const [ours, guests] = await Promise.all([
      PadClient.connect(etherpad, owner.cookie),
      PadClient.connect(etherpad),
    ]);
    await ours.join(pad);
    await guests.join(pad);
    await fixture.invite(owner, group, [member.login]);
    await fixture.change(owner, `group/${group}`, { description: 'something else', archived: true });
    await fixture.change(owner, `pad/${pad}`, { name: 'Another name' });
    await fixture.signIn(owner.login);
    await ours.write('still open');
    await guests.sees('still open');
    expect([ours.closed, guests.closed]).to.deep.equal([false, false]);
    ours.close();
    guests.close();
  });

  it('stays open in another browser when the person signs out in one', async () => {
    const pad = await fixture.pad(owner, await fixture.group(owner));
    const here = await fixture.signIn(owner.login);
    const there = await fixture.signIn(owner.login);
    const [editorHere, editorThere] = await Promise.all([
      PadClient.connect(etherpad, here.cookie),
      PadClient.connect(etherpad, there.cookie),
    ]);
    await editorHere.join(pad);
    await editorThere.join(pad);
    await etherpad.api('POST', 'auth/logout', { token: here.token });
    await editorHere.gone();
    await editorThere.write('still here');
    editorThere.close();
  });

  /** The pages that an editor was told while it was open. */
  const pagesOf = (client: PadClient) =>
    client.messages.flatMap(({ data }) =>
      data?.type === 'EP_MYPADS_PAGE_CHANGED' && data.payload?.page ? [data.payload.page] : [],
    );
  const nextPage = (client: PadClient) =>
    client.next('the page', ({ data }) => data?.type === 'EP_MYPADS_PAGE_CHANGED', 5_000);

  it('learns new names and a move at once, but not of folders that its person may not see', async () => {
    const [folder, target] = [await fixture.group(owner), await fixture.group(owner, { name: 'Archive' })];
    const pad = await fixture.pad(owner, folder, { name: 'Plan', visibility: 'public' });
    const [member, guest] = [
      await PadClient.enter(etherpad, owner.cookie, pad),
      await PadClient.enter(etherpad, '', pad),
    ];
    const { readOnlyId } = member;
    const reader = await PadClient.enter(etherpad, '', readOnlyId);
    const told = [nextPage(member), nextPage(guest), nextPage(reader)];
    await fixture.change(owner, `pad/${pad}`, { name: 'Great plan' });
    await Promise.all(told);
    const renamed = nextPage(member);
    await fixture.change(owner, `group/${folder}`, { name: 'Ideas' });
    await renamed;
    const moved = nextPage(member);
    await fixture.change(owner, `pad/${pad}`, { group: target });
    await moved;
    // The others are told what comes after the move, so they have been told of the move if they are.
    const toldLast = [nextPage(member), nextPage(guest), nextPage(reader)];
    await fixture.change(owner, `pad/${pad}`, { name: 'Last plan' });
    await Promise.all(toldLast);
    const titles = (client: PadClient) => pagesOf(client).map(({ title }) => title);
    expect(titles(member)).to.deep.equal([
      'Great plan – A group | MyPads',
      'Great plan – Ideas | MyPads',
      'Great plan – Archive | MyPads',
      'Last plan – Archive | MyPads',
    ]);
    for (const one of [guest, reader])
      expect(titles(one)).to.deep.equal(['Great plan | MyPads', 'Last plan | MyPads']);
    expect(pagesOf(reader)[0]?.address).to.match(new RegExp(`/pad/view/${readOnlyId}$`));
    expect(JSON.stringify(reader.messages)).not.to.include(pad);
    for (const client of [member, guest, reader]) {
      expect(client.closed).to.equal(false);
      client.close();
    }
  });

  it('learns at once that its person became a manager of the folder, and that this ended', async () => {
    const folder = await fixture.group(owner);
    const [pad, member] = [await fixture.pad(owner, folder), await fixture.person('member')];
    await fixture.invite(owner, folder, [member.login]);
    const client = await PadClient.enter(etherpad, member.cookie, pad);
    for (const role of ['admins', 'users']) {
      const told = nextPage(client);
      await succeed('PUT', `group/${folder}/members`, {
        token: owner.token,
        body: { [role]: [member.login] },
      });
      await told;
    }
    expect(pagesOf(client).map(({ canChange }) => canChange)).to.deep.equal([true, false]);
    expect(client.closed).to.equal(false);
    client.close();
  });

  it('learns new names that it has missed when it connects again', async () => {
    const pad = await fixture.pad(owner, await fixture.group(owner), { name: 'Plan' });
    const before = await PadClient.enter(etherpad, owner.cookie, pad);
    before.close();
    await fixture.change(owner, `pad/${pad}`, { name: 'Great plan' });
    const client = await PadClient.connect(etherpad, owner.cookie);
    const told = nextPage(client);
    await client.join(pad, { reconnect: true, client_rev: before.revision });
    expect((await told).data?.payload?.page?.title).to.equal('Great plan – A group | MyPads');
    client.close();
  });
});
