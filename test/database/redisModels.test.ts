/**
 * Two models on one database, as in two processes. They share state only through the `Coordination` port, over a real
 * Redis: each of these tests fails if each model has a coordination of its own.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { createCoordination } from '../../cluster/exchange';
import { nameOf } from '../../cluster/topics';
import { namesOf } from '../../model/accounts/nameRecords';
import { actingAs } from '../../model/actor';
import type { MyPadsError } from '../../model/errors';
import type { OwnFiles } from '../../model/ports';
import { casIssuer, sessionOfTicket } from '../../model/signin/casLogout';
import { keys } from '../../model/store/store';
import { createLimits } from '../../web/rateLimit';
import { type RedisServer, startRedis } from '../support/redisServer';
import type { Faults, ServerOperation } from '../support/serverFaults';
import { type ModelProcess, registerIn, startTwoModels, type TwoModels } from '../support/twoModels';
import { heldWork, until } from '../support/waiting';

const keyOf = (error: unknown): string => (error as MyPadsError).key;

describe('two processes on one database, with Redis', () => {
  let redis: RedisServer;
  let two: TwoModels;
  let start: TwoModels['start'];
  let ports: TwoModels['ports'];
  let one: ModelProcess;
  let other: ModelProcess;

  before(async () => {
    redis = await startRedis();
  });
  after(() => redis.close());
  beforeEach(async () => {
    two = await startTwoModels(redis);
    ({ ports, one, other, start } = two);
  });
  afterEach(() => two.stop());

  async function buildFolder() {
    const ada = await registerIn(one, 'ada');
    const group = await one.model.groups.create(ada._id, { name: 'Shared' });
    return { ada, group, pad: await one.model.pads.create(group._id, { name: 'Pad' }) };
  }
  const contentsIn = async ({ model }: ModelProcess, { _id }: { _id: string }) =>
    (await model.groupContents.read([_id])).get(_id);

  it('know who is signed in, and their tokens, while they cannot note that these are used', async () => {
    const ada = await registerIn(one, 'ada');
    const begin = { kind: 'user', owner: ada._id, browser: undefined } as const;
    const { session } = await one.model.sessions.create(begin);
    const input = { name: 'Sync', scopes: ['read'], addresses: [], days: 1 } as const;
    const { token } = await one.model.apiTokens.create(ada, input);
    await one.member.cutOff();
    ports.advance(6 * 60_000);
    expect((await one.model.sessions.find(session._id))?.owner).to.equal(ada._id);
    expect((await one.model.apiTokens.read(token, '192.0.2.1'))?.record.owner).to.equal(ada._id);
    ports.advance(30 * 24 * 60 * 60_000);
    expect(await one.model.sessions.find(session._id), 'unused for too long').to.equal(undefined);
    expect(await one.model.apiTokens.read(token, '192.0.2.1'), 'its days are over').to.equal(undefined);
  });

  it('know a setting that the other has changed while they started', async () => {
    let faults: Faults | undefined;
    const starting = start(undefined, (own) => {
      own.inject({ fault: 'block', calls: ['get'], keys: keys.tokenSecret });
      faults = own;
    });
    const isNext = (operation: ServerOperation) => 'key' in operation && operation.key === keys.tokenSecret;
    await until('it has read the settings', () => faults?.operations().some(isNext) === true);
    await one.model.configuration.set('allowEtherPads', false);
    faults?.inject({ fault: 'none' });
    const { model } = await starting;
    expect(model.configuration.get('allowEtherPads')).to.equal(false);
    await model.close();
  });

  it('lose no pad of those that both make at once, and both list all', async () => {
    const ada = await registerIn(one, 'ada');
    const group = await one.model.groups.create(ada._id, { name: 'Shared' });
    const listed = async (process: ModelProcess) => (await contentsIn(process, group))?.pads.length ?? 0;
    expect([await listed(one), await listed(other)]).to.deep.equal([0, 0]);
    const makers = Array.from({ length: 40 }, (_, number) => (number % 2 === 0 ? one : other));
    await Promise.all(makers.map(({ model }) => model.pads.create(group._id, { name: 'Pad' })));
    await until('both list all', async () => (await listed(one)) === 40 && (await listed(other)) === 40);
    await one.model.groups.update(group._id, { name: 'Renamed' });
    const isRenamed = async () => (await contentsIn(other, group))?.group.name === 'Renamed';
    await until('the new name is listed', isRenamed);
  });

  it('give out an export in both, and remove its file in both', async () => {
    const ada = await registerIn(one, 'ada');
    const group = await one.model.groups.create(ada._id, { name: 'Shared' });
    await one.model.pads.create(group._id, { name: 'Pad' });
    const owner = { kind: 'user', name: ada._id } as const;
    const wish = { formats: ['text' as const], chat: false, lang: 'en', server: 'example.org', unlocked: {} };
    const subject = { kind: 'group', id: group._id, name: 'Shared' } as const;
    const id = await one.model.exports.ask(owner, { subject, ...wish });
    const stateIn = async ({ model }: ModelProcess) => (await model.exports.find(owner, id)).state;
    await until('it is ready', async () => (await stateIn(other)) === 'ready');
    const sizeIn = async ({ model }: ModelProcess): Promise<number | string> => {
      try {
        const { size, content } = await model.exports.file(owner, id);
        content.destroy();
        return size;
      } catch (error) {
        return keyOf(error);
      }
    };
    expect(await sizeIn(one)).to.be.greaterThan(100);
    // The process that did not make it makes it again.
    expect(await sizeIn(other)).to.equal('BACKEND.ERROR.SERVER.BUSY');
    await until('the other has it too', async () => typeof (await sizeIn(other)) === 'number');
    const account = { kind: 'account', id: ada._id } as const;
    await other.model.exports.remove(
      owner,
      await other.model.exports.ask(owner, { subject: account, ...wish }),
    );
    await one.model.exports.remove(owner, id);
    for (const process of [one, other])
      expect(await sizeIn(process)).to.equal('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND');
    const isThere = async (files: OwnFiles): Promise<boolean> => {
      const file = await files.read(`${id}.zip`);
      file?.content.destroy();
      return file !== undefined;
    };
    await until(
      'no file is left',
      async () => !(await isThere(one.exportFiles)) && !(await isThere(other.exportFiles)),
    );
  });

  it('list no pad whose removal by one of them has failed half-way', async () => {
    const { group, pad } = await buildFolder();
    const listed = async (process: ModelProcess) => (await contentsIn(process, group))?.pads.length;
    await until('both list it', async () => (await listed(one)) === 1 && (await listed(other)) === 1);
    one.faults.inject({ fault: 'fail', why: 'full', calls: ['set'], keys: keys.group(group._id) });
    expect(await one.model.removals.removePad(pad._id).catch(keyOf)).to.be.a('string');
    await until('the other does not list it', async () => (await listed(other)) === 0);
    one.faults.inject({ fault: 'none' });
    await until('nor does the first', async () => (await listed(one).catch(() => undefined)) === 0);
  });

  it('tell each other what has changed, in the order of the changes', async () => {
    const heard: unknown[] = [];
    other.model.events.on('session', ({ id }) => heard.push(id));
    other.model.events.on('configuration', ({ key }) =>
      heard.push([key, other.model.configuration.get(key)]),
    );
    const ada = await registerIn(one, 'ada');
    const { session } = await one.model.sessions.create({ kind: 'user', owner: ada._id, browser: undefined });
    await one.model.sessions.end(session._id);
    await one.model.configuration.set('allowEtherPads', false);
    await until('both were heard of', () => heard.length === 2);
    expect(heard).to.deep.equal([session._id, ['allowEtherPads', false]]);
  });

  it('tell each other who has changed something, and write it once into the administration log', async () => {
    const heard: unknown[] = [];
    other.model.events.on('configuration', ({ by }) => heard.push(by));
    const root = { kind: 'administrator', name: 'root' } as const;
    await actingAs(root, () => one.model.configuration.set('title', 'Ours'));
    await one.model.configuration.set('allowEtherPads', false);
    await until('both were heard of', () => heard.length === 2);
    expect(heard).to.deep.equal([root, { kind: 'server' }]);
    for (const { model } of [one, other]) expect((await model.adminLog.list(0, 10)).count).to.equal(1);
  });

  it('build their indexes again when an administrator asks one of them', async () => {
    const { recordIndex } = other.model;
    await recordIndex.whenVerified(new AbortController().signal);
    other.faults.inject({ fault: 'block', calls: ['findKeys'] });
    one.model.events.emit({ about: 'index', what: 'rebuilt' });
    await until('the other begins', async () => (await recordIndex.compare(0)).kind === 'building');
    other.faults.inject({ fault: 'none' });
    await until('it has ended', async () => (await recordIndex.compare(60_000)).kind === 'compared');
  });

  it('find and count the accounts, folders and pads that the other has made', async () => {
    const search = async (text: string) => (await other.model.recordIndex.accounts({ text })).count;
    expect(await search('ada')).to.equal(0);
    const numbers = async ({ model }: ModelProcess) => {
      const { users, groups, pad } = await model.recordIndex.counts();
      return { users, groups, pad };
    };
    await numbers(other);
    await other.model.recordIndex.groups({ offset: 0, limit: 10 });
    const { group, pad } = await buildFolder();
    await until('the account is found', async () => (await search('ada')) === 1);
    await until('they are counted', async () => (await numbers(other)).pad === 1);
    expect(await numbers(other)).to.deep.equal({ users: 1, groups: 1, pad: 1 });
    const found = await other.model.recordIndex.groups({ offset: 0, limit: 10 });
    expect(found.folders.map(({ id }) => id)).to.deep.equal([group._id]);
    await one.model.removals.removePad(pad._id);
    await until('it is counted no more', async () => (await numbers(other)).pad === 0);
  });

  it('find in their index the API tokens and second factors that the other has added and removed', async () => {
    const { recordIndex } = other.model;
    const ada = await registerIn(one, 'ada');
    await recordIndex.whenVerified(new AbortController().signal);
    const found = async () => [
      (await recordIndex.apiTokens(0, 10)).count,
      await recordIndex.countAccounts({ secondFactor: true }),
    ];
    const input = { name: 'Program', scopes: ['read'], addresses: [], days: 1 } as const;
    const { record } = await one.model.apiTokens.create(ada, input);
    const passkey = { _id: 'key', name: 'Key', publicKey: '', counter: 0, transports: [] };
    await one.model.factors.addPasskey(ada, passkey);
    await until('both are found', async () => isDeepStrictEqual(await found(), [1, 1]));
    await one.model.apiTokens.end(record);
    await one.model.factors.removeAll(ada);
    await until('none is found', async () => isDeepStrictEqual(await found(), [0, 0]));
  });

  it('agree how many people are signed in', async () => {
    const ada = await registerIn(one, 'ada');
    await other.model.sessions.create({ kind: 'user', owner: ada._id, browser: undefined });
    const signedIn = async () => (await other.model.dailyNumbers.list()).at(-1)?.signedIn;
    expect(await signedIn()).to.equal(null);
    one.schedule.run('endExpiredSessions');
    await until('the other knows the number', async () => (await signedIn()) === 1);
  });

  it('refuse an API token at once that has ended in the other, and list those that the other has made', async () => {
    const ada = await registerIn(one, 'ada');
    const input = { name: 'Program', scopes: ['read'], addresses: [], days: 1 } as const;
    const { record, token } = await one.model.apiTokens.create(ada, input);
    const read = ({ model }: ModelProcess) => model.apiTokens.read(token, '127.0.0.1');
    expect((await read(other))?.user?.login).to.equal('ada');
    await until('the other lists it', async () =>
      (await other.model.recordIndex.apiTokens(0, 10)).ids.includes(record._id),
    );
    await other.model.apiTokens.end(record);
    expect(await read(one)).to.equal(undefined);
    const again = await one.model.apiTokens.create(ada, input);
    await other.model.users.updateProfile(ada._id, { password: 'another one' });
    expect(await one.model.apiTokens.read(again.token, '127.0.0.1')).to.equal(undefined);
  });

  it('end a session when a CAS server tells the other that the person has signed out', async () => {
    const ada = await registerIn(one, 'ada');
    const signedInBy = { method: 'cas', issuer: casIssuer, sid: sessionOfTicket('ST-1') };
    const begin = () =>
      one.model.sessions.create({ kind: 'user', owner: ada._id, browser: undefined, signedInBy });
    const { session, token } = await begin();
    const heard: string[] = [];
    one.model.events.on('session', ({ id }) => heard.push(id));
    const end = (ticket: string) =>
      other.model.signIn.endProviderSessions({ issuer: casIssuer, sid: sessionOfTicket(ticket) });
    expect([await end('ST-2'), await end('ST-1'), await end('ST-1')]).to.deep.equal([0, 1, 0]);
    expect(await one.model.sessions.read(token, ['user'])).to.equal(undefined);
    await until('the process of the person hears it', () => heard.includes(session._id));
  });

  it('count people with a session, whoever signs in to the other', async () => {
    const limits = createLimits(createCoordination(one.member));
    const here = createLimits(createCoordination(other.member));
    const signedIn = async () => (await other.model.dailyNumbers.list()).at(-1)?.signedIn;
    await one.model.sessions.create({ kind: 'user', owner: 'ada', browser: undefined });
    one.schedule.run('endExpiredSessions');
    await until('the other knows the number', async () => (await signedIn()) === 1);
    await limits.attemptSignIn(
      'signIn',
      { address: '192.0.2.1', typed: 'ada@example.org', device: undefined },
      async () => {},
    );
    one.member.publish(nameOf('peopleSignedIn'), 'ada@example.org');
    one.member.publish(nameOf('peopleSignedIn'), -1);
    one.member.publish('peopleSignedIn 1', { people: 7 });
    await registerIn(one, 'ada');
    await until('the other has heard it', async () => (await other.model.recordIndex.countAccounts()) === 1);
    expect(await signedIn()).to.equal(1);
    for (const known of [limits, here]) known.close();
  });

  it('share the counts of rate limits', async () => {
    const [here, there] = [
      createLimits(createCoordination(one.member)),
      createLimits(createCoordination(other.member)),
    ];
    const guess = (limits: typeof here) => limits.consume('adminSignIn', 'address and account').catch(keyOf);
    const answers: unknown[] = [];
    for (const limits of [here, there, here, there, here, there]) answers.push(await guess(limits));
    expect(answers.filter((answer) => answer === 'BACKEND.ERROR.PERMISSION.TOO_MANY')).to.have.length(1);
    const [locked] = await here.locked();
    expect(locked).to.include({ limit: 'adminSignIn', key: 'address and account', points: 6 });
    expect(locked?.wait).to.be.within(1, 15 * 60_000);
    await there.lift('adminSignIn', 'address and account');
    expect(await here.locked()).to.deep.equal([]);
    expect(await guess(here)).not.to.equal('BACKEND.ERROR.PERMISSION.TOO_MANY');
    here.close();
    there.close();
  });

  it('change the index of accounts one at a time, also while another one starts on many new accounts', async () => {
    const { password, ...ada } = await registerIn(one, 'ada');
    const imported = Array.from({ length: 300 }, (_, number) => `imported${number}`);
    for (const login of imported) {
      const record = { ...ada, password, _id: login, login, email: `${login}@example.org` };
      await ports.database.set(keys.user(login), record);
    }
    // The first two of its records that get new entries: they are written in one batch.
    const recordOf = (login: string): string => namesOf({ login, email: '' })[0]?.key ?? '';
    const [login = '', next = ''] = imported.toSorted((a, b) => recordOf(a).localeCompare(recordOf(b)));
    const release = await one.member.lock(recordOf(login));
    const third = await start();
    await until('the next is written', async () => Boolean(await ports.database.get(recordOf(next))));
    expect(await ports.database.get(recordOf(login))).to.be.oneOf([null, undefined]);
    release();
    await third.model.users.ready;
    expect((await third.model.users.findByLogin(login))?._id).to.equal(login);
    await third.model.close();
  });

  it('send one mail for a registration that reaches both', async () => {
    await one.model.configuration.set('rootUrl', 'https://pads.example.org');
    await until('the other knows', () => other.model.configuration.get('rootUrl') !== '');
    const release = await one.member.tryLock(keys.registration('ada', 'ada@example.org'));
    await one.model.configuration.set('checkMails', true);
    await until('the other knows', () => other.model.configuration.get('checkMails') === true);
    await other.model.configuration.set('SMTPHost', 'localhost');
    await other.model.configuration.set('SMTPPort', '25');
    await other.model.configuration.set('SMTPEmailFrom', 'a@example.org');
    const fields = { login: 'ada', email: 'ada@example.org', password: 'long enough' };
    expect(await other.model.registration.register(fields).catch(keyOf)).to.equal(
      'BACKEND.ERROR.SERVER.BUSY',
    );
    release?.();
  });

  it('do background work in one of them; the other takes over when that ends', async () => {
    const scans: string[] = [];
    const { findKeys } = ports.database;
    ports.database.findKeys = (pattern, not) => {
      scans.push(pattern);
      return findKeys(pattern, not);
    };
    const sessions = `${keys.session('')}*`;
    other.schedule.run('endExpiredSessions');
    expect(scans).not.to.include(sessions);
    one.schedule.run('endExpiredSessions');
    await until('it works', () => scans.includes(sessions));
    await one.member.leave();
    scans.length = 0;
    await until('the other takes over', () => {
      other.schedule.run('endExpiredSessions');
      return scans.includes(sessions);
    });
  });

  it('finish a removal that a process has not ended, when that process has', async () => {
    const { pad } = await buildFolder();
    const { remove } = ports.pads;
    ports.pads.remove = () => Promise.reject(new Error('killed'));
    await other.model.removals.removePad(pad._id);
    ports.pads.remove = remove;
    await other.member.leave();
    await until('nothing is left', async () => {
      const left = await ports.database.findKeys(`*${pad._id}*`, null);
      return left.length === 0 && (await one.model.removals.unfinished()).pads === 0;
    });
  });

  it('remove pads again after the connection between them was down', async () => {
    const { pad } = await buildFolder();
    await other.member.cutOff();
    const refused = await other.model.removals.removePad(pad._id).catch(keyOf);
    expect(refused).to.equal('BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE');
    await other.member.comeBack();
    await other.model.removals.removePad(pad._id);
    expect(await one.model.pads.find(pad._id)).to.equal(undefined);
  });

  it('restore a pad that Etherpad replaces in one of them while another one continues removals', async () => {
    const { pad } = await buildFolder();
    const id = pad._id;
    const text = await ports.database.get(`pad:${id}`);
    await ports.database.remove(`pad:${id}`);
    const noticed = one.model.removals.padVanished(id);
    await until('it is noticed', async () => (await one.model.removals.unfinished()).vanished === 1);
    one.schedule.run('check vanished pad');
    await noticed;
    await other.model.jobs.resume();
    await ports.database.set(`pad:${id}`, text);
    await one.model.removals.padAppeared(id);
    expect((await one.model.pads.find(id))?.name).to.equal('Pad');
  });

  it('see what the other has put into the trash, and restore it once, whichever of them is asked', async () => {
    const { ada, group, pad } = await buildFolder();
    const actor = { kind: 'user', id: ada._id, unlocked: () => false } as const;
    const padsIn = async (process: ModelProcess) =>
      (await contentsIn(process, group))?.pads.map(({ _id }) => _id);
    expect(await padsIn(other)).to.deep.equal([pad._id]);
    await one.model.trash.addPad(pad._id, ada._id);
    await until('the other shows no pad', async () => (await padsIn(other))?.length === 0);
    expect((await other.model.padAccess.decide(pad._id, { actor })).entry).to.equal('removed');
    const listed = async () => (await other.model.trash.list(actor, 0, 10)).entries.map(({ id }) => id);
    await until('it is in the trash of the other', async () => (await listed()).includes(pad._id));
    const outcomes = await Promise.allSettled(
      [one, other].map(({ model }) => model.trash.restorePad(pad._id, group._id)),
    );
    expect(outcomes.map(({ status }) => status)).to.include('fulfilled');
    for (const each of [one, other]) {
      await each.model.upToDate();
      expect(await padsIn(each)).to.deep.equal([pad._id]);
    }
    await other.model.trash.addGroup(group._id, ada._id);
    await until('the first shows no folder', async () => (await padsIn(one)) === undefined);
    await until('the folder is in the trash of the other', async () => (await listed()).includes(group._id));
  });

  it('remove a pad once, whichever of them gets the request', async () => {
    await one.model.configuration.set('deleteJobQueue', true);
    const { pad } = await buildFolder();
    let removals = 0;
    const { held: finished, release: finish } = heldWork();
    ports.pads.remove = async () => {
      removals += 1;
      await finished;
    };
    await one.model.removals.removePad(pad._id);
    // The second time it is a removal that was unfinished before.
    for (let times = 0; times < 2; times += 1) await other.model.jobs.runDue();
    await other.model.jobs.idle();
    finish();
    await one.model.jobs.idle();
    expect(removals).to.equal(1);
    expect(await one.model.store.get(keys.deletePad(pad._id))).to.equal(undefined);
  });

  it('write nothing when the connection is lost between the beginning of a write and the database', async () => {
    const key = keys.conf('title');
    other.faults.inject({ fault: 'block', calls: ['get'], keys: key });
    const written = other.model.store.set(key, 'late').catch(keyOf);
    await other.member.cutOff();
    other.faults.inject({ fault: 'none' });
    expect(await written).to.equal('BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE');
    expect(await ports.database.get(key)).to.be.oneOf([null, undefined]);
    await other.member.comeBack();
  });

  it('lose nothing when the database stores a write of one of them that has failed long ago', async () => {
    const slow = await start(200);
    const ada = await registerIn(one, 'ada');
    const group = await one.model.groups.create(ada._id, { name: 'Before' });
    const key = keys.group(group._id);
    slow.faults.inject({ fault: 'block', calls: ['set'], keys: key });
    const late = await slow.model.groups.update(group._id, { name: 'Late' }).catch(keyOf);
    expect(late).to.equal('BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE');
    const again = slow.model.groups.update(group._id, { name: 'Again' }).catch(keyOf);
    expect(await again).to.equal('BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE');
    let isLater = false;
    const later = one.model.groups.update(group._id, { name: 'Later' }).then(() => {
      isLater = true;
    });
    // Long enough to write. Nothing shows that it waits.
    await pause(100);
    expect(isLater).to.equal(false);
    slow.faults.inject({ fault: 'none' });
    await later;
    // Now the process has nothing left to write.
    await until('it can write again', async () => {
      const written = await slow.model.groups
        .update(group._id, { description: 'Now' })
        .catch(() => undefined);
      return written !== undefined;
    });
    expect(await ports.database.get(key)).to.deep.include({ name: 'Later', description: 'Now' });
    await slow.model.close();
  });

  it('forget what a failed write of one of them had stored before it was undone', async () => {
    const slow = await start(200);
    const ada = await registerIn(one, 'ada');
    const group = await one.model.groups.create(ada._id, { name: 'Before' });
    const key = keys.group(group._id);
    slow.faults.inject({ fault: 'block', calls: ['set'], keys: key });
    const late = { name: 'Late', requestsMailed: undefined };
    const failed = slow.model.store.update<object>(key, (stored) => ({ ...stored, ...late })).catch(keyOf);
    expect(await failed).to.equal('BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE');
    slow.faults.inject({ fault: 'none' });
    slow.faults.inject({ fault: 'block', calls: ['get'], keys: key });
    const stored = async () => ((await ports.database.get(key)) as { name: string }).name;
    await until('it is stored', async () => (await stored()) === 'Late');
    expect((await contentsIn(other, group))?.group.name).to.equal('Late');
    slow.faults.inject({ fault: 'none' });
    await until('it is undone', async () => (await stored()) === 'Before');
    await until('the other knows', async () => (await contentsIn(other, group))?.group.name === 'Before');
    await slow.model.close();
  });

  it('write nothing while the connection between them is down, and read everything again afterwards', async () => {
    const ada = await registerIn(one, 'ada');
    const group = await one.model.groups.create(ada._id, { name: 'Before' });
    const name = async () => (await contentsIn(other, group))?.group.name;
    await until('it is known', async () => (await name()) === 'Before');
    await other.model.recordIndex.groups({ offset: 0, limit: 10 });
    await other.model.recordIndex.accounts({ text: '' });
    await other.member.cutOff();
    expect(await registerIn(other, 'bob').catch(keyOf)).to.equal('BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE');
    await one.model.groups.update(group._id, { name: 'After' });
    await one.model.configuration.set('allowEtherPads', false);
    await registerIn(one, 'carol');
    await other.member.comeBack();
    await until('everything is read again', async () => (await name()) === 'After');
    await until('settings are', () => other.model.configuration.get('allowEtherPads') === false);
    const findAfter = () => other.model.recordIndex.groups({ offset: 0, limit: 10, text: 'after' });
    await until('the list of groups is', async () => (await findAfter()).count === 1);
    await until('the account is found', async () => {
      return (await other.model.recordIndex.accounts({ text: 'carol' })).count === 1;
    });
    await registerIn(other, 'bob');
  });

  it('read everything again until it succeeds, and decide open editors again meanwhile', async () => {
    let decided = 0;
    other.model.events.onMissed(() => {
      decided += 1;
    });
    const search = async () => (await other.model.recordIndex.accounts({ text: 'carol' })).count;
    expect(await search()).to.equal(0);
    await other.member.cutOff();
    await one.model.configuration.set('title', 'After');
    await registerIn(one, 'carol');
    other.faults.inject({ fault: 'fail', why: 'away', calls: ['get'], keys: keys.conf('') });
    other.faults.inject({ fault: 'fail', why: 'away', calls: ['findKeys'], keys: keys.user('') });
    await other.member.comeBack();
    for (const name of ['read everything again', 'build the index again'])
      await until(`it will ${name}`, () => other.schedule.isPlanned(name));
    expect(decided).to.be.above(0);
    other.schedule.run('read everything again');
    await until('it is tried again', () => other.schedule.isPlanned('read everything again'));
    expect(other.model.configuration.get('title')).not.to.equal('After');
    other.faults.inject({ fault: 'none' });
    other.schedule.run('read everything again');
    other.schedule.run('build the index again');
    await until('settings are read', () => other.model.configuration.get('title') === 'After');
    await until('the account is found', async () => (await search()) === 1);
  });
});
