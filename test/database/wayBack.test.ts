/**
 * The way back from an upgrade, with the commands of docs/backup.md: after a restore, each kind of database contains
 * what ep_mypads 1.7.17 has written, and nothing else. test/host/wayBack.test.ts does it with a real Etherpad.
 */
import { expect } from 'chai';
import { startApp, type TestApp, temporaryFolder } from '../support/app';
import { type Backup, backupOf, backupOfRedis } from '../support/backup';
import { callerOf } from '../support/caller';
import { type DatabaseKind, databases, type FreshDatabase, redisOf } from '../support/databases';
import { buildGroup, buildPad, buildUser, signIn } from '../support/factories';
import { legacyGroups, legacyPeople, legacyRecords, writeLegacyRecords } from '../support/legacy';
import { startRedis } from '../support/redisServer';

interface Saved {
  fresh: FreshDatabase;
  backup: Backup;
  drop(): Promise<void>;
}

async function create(kind: DatabaseKind): Promise<Saved> {
  const folder = temporaryFolder();
  if (kind.name === 'Redis') {
    // Without this, it waits five seconds for other readers before it sends its content.
    const redis = await startRedis({ more: ['--repl-diskless-sync-delay', '0'] });
    const fresh = redisOf(redis.url);
    const drop = () => redis.close().finally(folder.remove);
    return { fresh, backup: backupOfRedis(folder.path, redis), drop };
  }
  const fresh = await kind.create();
  const drop = () => fresh.drop().finally(folder.remove);
  return { fresh, backup: backupOf(fresh, folder.path), drop };
}

for (const kind of databases) {
  describe(`the way back on ${kind.name}`, () => {
    let saved: Saved;

    beforeEach(async () => {
      saved = await create(kind);
    });
    afterEach(() => saved.drop());

    /** Every record, read by a new connection, so that nothing comes from a cache. */
    async function everything(): Promise<Record<string, unknown>> {
      const { database, close } = await saved.fresh.connect();
      // On Redis ueberDB keeps lists of keys beside the records.
      const keys = (await database.findKeys('*', null)).filter((key) => !key.startsWith('ueberDB:'));
      const found = await Promise.all(keys.map(async (key) => [key, await database.get(key)] as const));
      await close();
      return Object.fromEntries(found.filter(([, value]) => value !== null && value !== undefined));
    }

    async function use(app: TestApp): Promise<void> {
      const change = async (): Promise<void> => {
        const asAlice = callerOf(app, (await signIn(app, 'alice', 'alice-password-1')).token);
        const name = asAlice('put', `group/${legacyGroups.class}`, { name: 'Another name' }).expect(200);
        await Promise.all([name, asAlice('delete', `group/${legacyGroups.noticeboard}`).expect(200)]);
      };
      const begin = async (): Promise<void> => {
        const zoe = await buildUser(app, { login: 'zoe' });
        await buildPad(app, zoe, await buildGroup(app, zoe));
      };
      await Promise.all([change(), begin()]);
      await app.model.jobs.idle();
    }

    it('leads to the database that 1.7.17 has written, key by key, and from there to the new version again', async () => {
      const { database, close } = await saved.fresh.connect();
      await writeLegacyRecords(database);
      await close();
      const original = await everything();
      expect(Object.keys(original)).to.include.members([...legacyRecords().keys()]);
      await saved.backup.save();

      const first = await startApp({ connect: saved.fresh.connect });
      await use(first);
      await first.close();
      const changed = await everything();
      const group = `mypads:group:${legacyGroups.class}`;
      expect(changed[group]).not.to.deep.equal(original[group]);
      expect(changed).not.to.have.property(`mypads:group:${legacyGroups.noticeboard}`);
      expect(Object.keys(changed)).to.include('mypads:secret:token');

      await saved.backup.restore();
      expect(await everything()).to.deep.equal(original);

      const second = await startApp({ connect: saved.fresh.connect });
      await second.model.jobs.idle();
      await Promise.all(
        legacyPeople.map(async ({ login, password, groups }) => {
          const { token } = await signIn(second, login, password);
          const { value } = (await callerOf(second, token)('get', 'group').expect(200)).body;
          expect(Object.keys(value.groups), login).to.have.members(groups);
        }),
      );
      const nobody = await callerOf(second)('post', 'auth/login', { login: 'zoe', password: 'x' });
      expect(nobody.body.error).to.match(/NOT_FOUND|INCORRECT/);
      await second.close();
    });
  });
}
