/** What is restored, deleted for good or cleaned up while something else happens to it in the trash. */
import { expect } from 'chai';
import type { Model } from '../../model/model';
import type { GroupRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { useFolderOfPads } from '../support/removalPlace';
import { until } from '../support/waiting';

describe('the trash', () => {
  const fixture = useFolderOfPads();

  /** Restores the folder as soon as it is looked at in the trash. Returns whether that has been. */
  function restoreWhenRead(): () => boolean {
    const { place, model, group } = fixture;
    const { get } = place.database;
    place.database.get = async (key) => {
      if (key === keys.deleteGroup(group)) {
        place.database.get = get;
        await model.trash.restoreGroup(group);
      }
      return get(key);
    };
    return () => place.database.get === get;
  }

  it('keeps a deleted pad whose folder is restored while the trash is emptied, also with a wrong index', async () => {
    const { place, model, group, pads } = fixture;
    const [pad = ''] = pads;
    await model.trash.addPad(pad, null);
    await model.trash.addGroup(group, null);
    model.recordIndex.trashBefore = async () => [{ kind: 'pad', id: pad }];
    restoreWhenRead();
    await model.jobs.runNow('emptyTrash');
    await model.jobs.idle();
    expect(await model.trash.find(pad)).to.include({ kind: 'pad', id: pad });
    expect(place.removed).to.deep.equal([]);
  });

  it('gives a folder back without the pads that were deleted for good while it was there', async () => {
    const { place, model, group, pads } = fixture;
    const [first = '', second = '', third = ''] = pads;
    const { set } = place.database;
    place.database.set = async (key, value) => {
      await set(key, value);
      if (key !== keys.deletePad(first)) return;
      place.database.set = set;
      await model.trash.addGroup(group, null);
    };
    await model.removals.removePad(first);
    expect(place.database.set, 'the folder was deleted meanwhile').to.equal(set);
    place.values.delete(`pad:${second}`);
    const noticed = model.removals.padVanished(second);
    await until('the pad is to be checked', () => place.schedule.isPlanned('check vanished pad'));
    place.schedule.run('check vanished pad');
    await noticed;
    await model.trash.restoreGroup(group);
    expect((await model.groups.find(group))?.pads).to.deep.equal([third]);
  });

  it('keeps the invitations of a folder that is restored while invitations are looked through', async () => {
    const { model, group } = fixture;
    const created = Date.now() - 24 * 3600_000;
    const invitation = { _id: 'one', role: 'users', mail: 'sent', mailed: created, reminded: true, created };
    const more = { address: 'invited@example.org', sentence: '', lang: '', seed: 'seed', by: null };
    await model.store.set(keys.invitation('one'), { group, created });
    await model.store.update<object>(keys.group(group), (stored) => ({
      ...stored,
      invitations: [{ ...invitation, ...more, expires: created + 30 * 24 * 3600_000 }],
    }));
    await model.trash.addGroup(group, null);
    const isRead = restoreWhenRead();
    await model.jobs.runNow('endInvitations');
    expect(isRead(), 'it was looked at').to.equal(true);
    expect(await model.invitations.groupOfInvitation('one')).to.equal(group);
  });
});

describe('the removal of an account', () => {
  const fixture = useFolderOfPads();

  type Step = (model: Model, group: string) => Promise<void>;
  const remove: Step = (model, group) => model.trash.addGroup(group, null);
  const cases: [title: string, before: Step, meanwhile: Step][] = [
    ['restored', remove, (model, group) => model.trash.restoreGroup(group)],
    ['deleted', async () => {}, remove],
  ];
  for (const [title, before, meanwhile] of cases) {
    it(`leaves its name in no folder that is ${title} while all folders are searched for it`, async () => {
      const { place, model, group } = fixture;
      const account = { login: 'second', email: 'second@example.org', password: 'long enough' };
      const { _id } = await model.users.register({ ...account, active: true });
      await model.groups.add(group, 'users', ['second']);
      await model.groups.createLink(group, {}, _id);
      await model.recordIndex.whenVerified(new AbortController().signal);
      await before(model, group);
      const { findKeys } = place.database;
      place.database.findKeys = async (...asked) => {
        const found = await findKeys(...asked);
        if (asked[0] === keys.group('*')) {
          place.database.findKeys = findKeys;
          await meanwhile(model, group);
        }
        return found;
      };
      await model.accountRemoval.remove(_id);
      await model.jobs.idle();
      expect(place.database.findKeys, 'they were searched').to.equal(findKeys);
      const named = [...place.values].filter((entry) => JSON.stringify(entry).includes(_id));
      expect(named).to.deep.equal([]);
    });
  }

  it('deletes the folder in the trash that it alone managed, also when the server dies meanwhile', async () => {
    const { place, model, group, pads } = fixture;
    const owner = (await model.users.findByLogin('owner'))?._id ?? '';
    await model.trash.addGroup(group, null);
    const { set, remove } = place.database;
    let isDead = false;
    const unlessDead = async (write: () => Promise<void>): Promise<void> => {
      if (isDead) throw new Error('the server is dead');
      await write();
    };
    place.database.remove = (key) => unlessDead(() => remove(key));
    place.database.set = (key, value) =>
      unlessDead(async () => {
        await set(key, value);
        isDead = key === keys.deleteGroup(group);
      });
    await model.accountRemoval.remove(owner);
    await until('the server is dead', () => isDead);
    await model.close();
    Object.assign(place.database, { set, remove });
    const next = await place.start();
    await next.jobs.idle();
    const left = [...place.values].filter((entry) =>
      [owner, group, ...pads].some((id) => JSON.stringify(entry).includes(id)),
    );
    expect(left).to.deep.equal([]);
  });

  it('leaves a folder in the trash that nobody managed', async () => {
    const { model, group } = fixture;
    const account = { login: 'second', email: 'second@example.org', password: 'long enough' };
    const { _id } = await model.users.register({ ...account, active: true });
    await model.groups.add(group, 'users', ['second']);
    await model.store.update<object>(keys.group(group), (stored) => ({ ...stored, admins: [] }));
    await model.trash.addGroup(group, null);
    await model.accountRemoval.remove(_id);
    await model.jobs.idle();
    expect((await model.trash.find(group))?.group.users).to.deep.equal([]);
  });

  it('ends invitations to its address, but not those that somebody makes after it', async () => {
    const { place, model, group } = fixture;
    const account = { login: 'second', email: 'second@example.org', password: 'long enough' };
    const { _id } = await model.users.register({ ...account, active: true });
    const text = { role: 'users', mail: 'sent', sentence: '', lang: '', seed: 'seed', by: null };
    const invite = (id: string): Promise<unknown> => {
      const created = Date.now() + place.ahead;
      const times = { created, mailed: created, expires: created + 24 * 3600_000 };
      const invitation = { _id: id, address: account.email, ...text, ...times, reminded: true };
      return model.store.update<GroupRecord>(
        keys.group(group),
        (stored) =>
          stored && ({ ...stored, invitations: [...stored.invitations, invitation] } as GroupRecord),
      );
    };
    await invite('before');
    const { findKeys } = place.database;
    place.database.findKeys = async (...asked) => {
      if (asked[0] === keys.group('*')) {
        place.database.findKeys = findKeys;
        place.ahead = 1_000;
        await invite('after');
      }
      return findKeys(...asked);
    };
    await model.accountRemoval.remove(_id);
    await model.jobs.idle();
    expect((await model.groups.find(group))?.invitations.map((one) => one._id)).to.deep.equal(['after']);
  });
});
