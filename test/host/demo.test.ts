/** `npm start -- --demo`: what it promises is there, and after `DEMO_RESET` minutes all is as at the beginning. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { association, deleted, demoPassword, links, people, school } from '../../bin/demo/content';
import { projectRoot } from '../../bin/etherpad';
import { freePort } from '../support/freePort';

interface GroupsAnswer {
  value: {
    groups: Record<string, { name: string; tags: string[]; users: string[]; archived: boolean }>;
    pads: Record<string, { _id: string; name: string; group: string }>;
    bookmarks: { groups: object; pads: object };
  };
}

describe('npm start -- --demo', function () {
  this.timeout(300_000);
  let folder: string;
  let port: number;
  let server: ChildProcess | undefined;
  let printed = '';

  /** Resolves when the command says how to sign in. */
  async function start(env: NodeJS.ProcessEnv = {}): Promise<void> {
    const program = path.join(projectRoot, 'bin', 'start.ts');
    const started = spawn(process.execPath, ['--import', 'tsx', program, '--demo'], {
      cwd: projectRoot,
      env: { ...process.env, BUILT: '1', DATA: folder, PORT: String(port), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    server = started;
    printed = '';
    started.stdout?.on('data', (text) => {
      printed += text;
    });
    started.stderr?.on('data', (text) => {
      printed += text;
    });
    while (!printed.includes('Ctrl+C stops it.')) {
      if (started.exitCode !== null) throw new Error(`It has ended: ${printed.slice(-2000)}`);
      await wait(100);
    }
  }

  async function stop(): Promise<void> {
    if (!server || server.exitCode !== null) return;
    server.kill('SIGTERM');
    await once(server, 'exit');
  }

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'demo-'));
    port = await freePort();
    await start();
  });
  after(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });

  const api = (place: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${port}/mypads/api/${place}`, init);

  /** `undefined`: nobody can sign in just now. */
  async function signIn(login: string) {
    const answer = await api('auth/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ login, password: demoPassword }),
    }).catch(() => undefined);
    if (!answer?.ok) return undefined;
    const { token } = (await answer.json()) as { token: string };
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    return {
      cookie,
      read: async <T>(place: string) => (await (await api(place, { headers })).json()) as T,
      send: (place: string, body: object) =>
        api(place, { method: 'POST', headers, body: JSON.stringify(body) }),
    };
  }

  async function person(login: string) {
    const session = await signIn(login);
    if (session === undefined) throw new Error(`${login} cannot sign in`);
    return session;
  }

  it('says who can sign in, and every one of them can', async () => {
    expect(printed)
      .to.match(/Sign in as: +maya\nOr as: /)
      .and.to.include(demoPassword);
    const others = /Or as: +(.*)\n/.exec(printed)?.[1]?.split(', ');
    expect(others).to.have.members(people.map(([login]) => login));
    for (const login of ['maya', ...(others ?? [])]) await person(login);
  });

  it('has the folders of an association and of a school, with people, tags, bookmarks and a template', async () => {
    const { read } = await person('maya');
    const { value } = await read<GroupsAnswer>('group');
    const found = Object.values(value.groups);
    expect(found.map(({ name }) => name)).to.have.members(
      [...association, ...school].map(({ name }) => name),
    );
    for (const { name, tags, pads } of [...association, ...school]) {
      const group = found.find((one) => one.name === name);
      expect(group?.tags, name).to.have.members(tags);
      const answer = await read<{ pads: Record<string, { name: string }> }>(
        `group/${Object.keys(value.groups).find((id) => value.groups[id] === group)}`,
      );
      expect(Object.values(answer.pads).map((pad) => pad.name)).to.have.members(pads.map((pad) => pad.name));
    }
    expect(Object.keys(value.bookmarks.groups)).to.have.length(1);
    expect(Object.keys(value.bookmarks.pads)).to.have.length(1);
    expect(Object.keys((await read<{ value: object }>('userlist')).value)).to.have.length(1);
    const board = Object.keys(value.groups).find((id) => value.groups[id]?.name === 'Board minutes');
    const { pads } = await read<{ pads: Record<string, { name: string; template?: true }> }>(
      `group/${board}`,
    );
    const templates = Object.values(pads).filter(({ template }) => template);
    expect(templates.map(({ name }) => name)).to.deep.equal(['Agenda']);
  });

  it('has texts by several people, in their colours', async () => {
    const { read, cookie } = await person('maya');
    const { value } = await read<GroupsAnswer>('group');
    const id = Object.keys(value.groups).find((one) => value.groups[one]?.name === 'Summer festival');
    const { pads } = await read<{ pads: Record<string, { _id: string; name: string }> }>(`group/${id}`);
    const programme = Object.values(pads).find(({ name }) => name === 'Programme');
    const file = await fetch(`http://127.0.0.1:${port}/p/${programme?._id}/export/etherpad`, {
      headers: { cookie },
    });
    const records = (await file.json()) as Record<string, { name?: string; colorId?: string }>;
    const authors = Object.entries(records).filter(([key]) => key.startsWith('globalAuthor:'));
    expect(authors.map(([, { name }]) => name).sort()).to.deep.equal([
      'Amaru Quispe',
      'Bente Dahl',
      'Chidi Okafor',
      'Emil Novák',
      'Farah Haddad',
      'Maya Lindqvist',
    ]);
    expect(new Set(authors.map(([, { colorId }]) => colorId)).size).to.equal(6);
    const text = await fetch(`http://127.0.0.1:${port}/p/${programme?._id}/export/txt`, {
      headers: { cookie },
    });
    const wanted = association.flatMap((one) => one.pads).find(({ name }) => name === 'Programme');
    expect((await text.text()).trim()).to.equal(wanted?.text?.map(([, line]) => line).join('\n'));
  });

  it('has links, a request for access, and something in the trash', async () => {
    const { entries } = await (await person('maya')).read<{ entries: { name: string }[] }>('trash');
    expect(entries.map(({ name }) => name)).to.have.members([...deleted.pads, deleted.folder]);
    const { read } = await person('bente');
    expect((await read<{ value: unknown[] }>('requests')).value).to.have.length(1);
    const { value } = await read<GroupsAnswer>('group');
    const id = Object.keys(value.groups).find((one) => value.groups[one]?.name === 'Class 5b');
    const made = await read<{ value: { label: string }[] }>(`group/${id}/links`);
    expect(made.value.map(({ label }) => label)).to.have.members(links.map(({ label }) => label));
  });

  it('keeps what people do over a restart, and begins again after DEMO_RESET minutes', async () => {
    const left = 'Left by a visitor';
    expect((await (await person('amaru')).send('group', { name: left })).status).to.equal(200);
    const namesOf = async (session: Awaited<ReturnType<typeof person>>) =>
      Object.values((await session.read<GroupsAnswer>('group')).value.groups).map(({ name }) => name);
    await stop();
    await start({ DEMO_RESET: '0.5' });
    expect(await namesOf(await person('amaru'))).to.include(left);
    const hasBegunAgain = () => /The demo begins again[\s\S]*Ctrl\+C stops it/.test(printed);
    while (!hasBegunAgain()) await wait(200);
    let names: string[] = [];
    while (names.length === 0) {
      // It may begin again just now.
      const session = await signIn('amaru');
      if (session) names = await namesOf(session).catch(() => []);
      else await wait(1000);
    }
    expect(names).to.include('Board minutes');
    expect(names).not.to.include(left);
    await stop();
    expect(server?.exitCode).to.equal(0);
  });
});
