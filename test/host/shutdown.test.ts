/** A shutdown is clean in every situation: nothing of the plugin keeps Etherpad's process from ending. */
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { spawnEtherpad } from '../../bin/etherpad';
import { temporaryFolder } from '../support/app';
import { type EtherpadOptions, type RunningEtherpad, startEtherpad } from '../support/etherpad';
import { createFixture, password, signInAsAdmin } from '../support/hostFixture';
import { databaseWithLongPads } from '../support/longPads';
import { until } from '../support/waiting';

/**
 * Messages of Etherpad about an unclean end. Not "immediate unclean exit": Etherpad itself causes it, because it waits
 * five seconds for open connections and gives up after three.
 */
const unclean = /Forcing an unclean exit|preventing Node\.js from exiting|MaxListeners/;

const faultsIn = (log: string): string[] => log.split('\n').filter((line) => unclean.test(line));

/** A server that accepts connections and never sends anything. */
async function silentServer(): Promise<{ port: number; reached(): boolean; close(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    reached: () => sockets.size > 0,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('a shutdown', function () {
  this.timeout(300_000);

  const longPads = Array.from({ length: 25 }, (_, number) => `stop-${number}`);

  async function withEtherpad(
    options: EtherpadOptions,
    work: (etherpad: RunningEtherpad) => Promise<unknown>,
  ): Promise<void> {
    const etherpad = await startEtherpad(options);
    try {
      await work(etherpad);
      await etherpad.halt();
      expect(faultsIn(etherpad.log())).to.deep.equal([]);
    } finally {
      await etherpad.stop();
    }
  }

  it('is clean when there is no work, and closes the index, so that the next start can use it', () =>
    withEtherpad({}, async (etherpad) => {
      const fixture = createFixture(etherpad);
      await fixture.person('somebody');
      const token = await signInAsAdmin(etherpad);
      const found = await etherpad.api('GET', 'search-users/somebody', { token });
      expect((found.body as { usersCount: number }).usersCount).to.equal(1);
      const pid = etherpad.pid();
      await etherpad.halt();
      const warnings = etherpad.log().match(/^.*\[(WARN|ERROR)\] ep_mypads.*$/gm) ?? [];
      expect(warnings).to.deep.equal([]);
      const folder = path.join(etherpad.folder.root, 'var', 'ep_mypads');
      const notes = readdirSync(folder).filter((name) => name.endsWith('.pid'));
      const owners = notes.map((name) => Number(readFileSync(path.join(folder, name), 'utf8')));
      expect(owners).to.not.include(pid);
    }));

  /** A database with the long pads and with a note of an earlier run about their removal. */
  function databaseWithRemovals(folder: string): string {
    const database = databaseWithLongPads(folder, { ids: longPads, revisions: 200, chat: 10 });
    const val = { pads: longPads, groups: [], vanished: [], chats: [] };
    appendFileSync(database, `${JSON.stringify({ key: 'mypads:jobqueue:pending', val })}\n`);
    return database;
  }

  it('is clean after a start with many interrupted removals, and in the middle of the next one', async () => {
    const folder = temporaryFolder();
    try {
      await withEtherpad({ database: databaseWithRemovals(folder.path) }, async (etherpad) => {
        await etherpad.halt();
        const server = spawnEtherpad(etherpad.folder, etherpad.settingsFile, { stdio: 'pipe' });
        const moment = 'Installed plugins';
        let output = '';
        for (const stream of [server.stdout, server.stderr]) {
          stream?.setEncoding('utf8').on('data', (text: string) => {
            if (!output.includes(moment) && (output + text).includes(moment)) server.kill('SIGTERM');
            output += text;
          });
        }
        await once(server, 'exit');
        expect(output).to.include(moment);
        expect(faultsIn(output)).to.deep.equal([]);
      });
    } finally {
      folder.remove();
    }
  });

  it('is clean in the middle of removals, of many sign-ins, and while people wait for a slow directory', async () => {
    const folder = temporaryFolder();
    const directory = await silentServer();
    try {
      const database = databaseWithLongPads(folder.path, { ids: longPads, revisions: 1_000, chat: 10 });
      const authLdapSettings = {
        url: `ldap://127.0.0.1:${directory.port}`,
        bindDN: 'cn=service,dc=example,dc=org',
        bindCredentials: 'secret',
        searchBase: 'dc=example,dc=org',
        searchFilter: '(uid={{username}})',
        properties: { login: 'uid', email: 'mail', firstname: 'givenName', lastname: 'sn' },
        defaultLang: 'en',
      };
      const ep_mypads = { authMethod: 'internal', authMethods: ['ldap'], authLdapSettings };
      await withEtherpad({ database, settings: { ep_mypads } }, async (etherpad) => {
        const { login } = await createFixture(etherpad).person('somebody');
        const signIn = (name: string) =>
          etherpad.api('POST', 'auth/login', { body: { login: name, password } });
        for (let number = 0; number < 10; number++) void signIn(`person${number}`).catch(() => {});
        await until('the directory is asked', directory.reached);
        const token = await signInAsAdmin(etherpad);
        for (const id of longPads)
          void etherpad.api('DELETE', `pad/${id}?permanent=true`, { token }).catch(() => {});
        await until('a removal has begun', () =>
          readFileSync(etherpad.databaseFile, 'utf8').includes('"mypads:jobqueue:deletePad:'),
        );
        const signIns = Array.from({ length: 50 }, () => signIn(login));
        for (const one of signIns) one.catch(() => {});
        await Promise.race(signIns);
      });
    } finally {
      directory.close();
      folder.remove();
    }
  });
});
