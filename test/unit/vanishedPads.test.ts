/** Pads that Etherpad removes by itself, and may create again: they are closed, and come back with all of their own. */
import { expect } from 'chai';
import type { GroupRecord, InvitationRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { useFolderOfPads } from '../support/removalPlace';
import { heldWork, succeeds, until } from '../support/waiting';

const silent = (): void => {};
const guestAccount = { login: 'asking', email: 'invited@example.org', password: 'long enough' };

describe('a pad that Etherpad has removed without the plugin', () => {
  const fixture = useFolderOfPads();
  let { place, model, group } = fixture;
  let gone: string;
  let others: string[];

  beforeEach(() => {
    ({ place, model, group } = fixture);
    [gone = '', ...others] = fixture.pads;
  });

  /** The editor removes the pad. `meanwhile`: what happens before the plugin checks whether the pad has returned. */
  async function vanish(meanwhile: () => unknown = () => {}): Promise<void> {
    place.values.delete(`pad:${gone}`);
    const noticed = model.removals.padVanished(gone);
    await until('the pad is to be checked', () => place.schedule.isPlanned('check vanished pad'));
    await meanwhile();
    place.schedule.run('check vanished pad');
    await noticed;
  }

  /** The editor creates the pad again. Only its first record exists now. */
  const comeBack = (): void => void place.values.set(`pad:${gone}`, { copy: true });

  async function restart(): Promise<void> {
    await model.close();
    model = await place.start();
  }

  /** What the owner of the pad can see and do now. */
  async function shown(): Promise<{ listed: boolean; found: boolean; entry: string; managed: boolean }> {
    const owner = (await model.users.findByLogin('owner'))?._id ?? '';
    const actor = { kind: 'user' as const, id: owner, unlocked: () => false };
    const { entry, managed } = await model.padAccess.decide(gone, { actor });
    const listed = ((await model.groups.find(group))?.pads ?? []).includes(gone);
    return { listed, found: (await model.pads.find(gone)) !== undefined, entry, managed };
  }

  const away = { listed: false, found: false, entry: 'closed', managed: true };
  const there = { listed: true, found: true, entry: 'write', managed: true };
  const forgotten = { listed: false, found: false, entry: 'removed', managed: false };

  it('is not listed, and closed to everybody', async () => {
    await vanish();
    expect(await shown()).to.deep.equal(away);
    expect((await model.groups.find(group))?.pads).to.deep.equal(others);
    expect([...place.values.keys()]).to.not.include(keys.pad(gone));
  });

  it('is not listed either when the server stops a moment later', async () => {
    place.values.delete(`pad:${gone}`);
    const noticed = model.removals.padVanished(gone);
    await new Promise((resolve) => setImmediate(resolve));
    await model.close();
    await noticed;
    expect((await model.groups.find(group))?.pads, 'not yet').to.include(gone);
    model = await place.start();
    expect(await shown()).to.deep.equal(forgotten);
  });

  it('is deleted from the trash too, also when the server stops a moment later', async () => {
    for (const stops of [false, true]) {
      await model.trash.addPad(gone, null);
      place.values.delete(`pad:${gone}`);
      const noticed = model.removals.padVanished(gone);
      await until('the pad is to be checked', () => place.schedule.isPlanned('check vanished pad'));
      if (stops) await restart();
      else place.schedule.run('check vanished pad');
      await noticed;
      await model.jobs.idle();
      expect(await model.trash.find(gone), `stops: ${stops}`).to.equal(undefined);
      [gone = '', ...others] = others;
    }
  });

  it('keeps its record when it is replaced at once', async () => {
    await vanish(comeBack);
    expect(await shown()).to.deep.equal(there);
  });

  it('keeps its record when it is replaced right before it is closed, which the editor does not report', async () => {
    const { set } = place.database;
    place.database.set = (key, value) => {
      if (key === keys.deletePad(gone)) comeBack();
      return set(key, value);
    };
    await vanish();
    expect(await shown()).to.deep.equal(there);
  });

  it('does not get its old record back a second time when its replacement is reported twice', async () => {
    await vanish();
    comeBack();
    const { held, release: answer } = heldWork();
    place.answers = held;
    const late = model.removals.padAppeared(gone);
    await new Promise((resolve) => setImmediate(resolve));
    place.answers = Promise.resolve();
    await model.removals.padAppeared(gone);
    await model.pads.update(gone, { name: 'A new name' });
    answer();
    await late;
    expect((await model.pads.find(gone))?.name).to.equal('A new name');
  });

  it('gets its record back when it is replaced minutes later, and is closed until then', async () => {
    const before = await model.pads.find(gone);
    await vanish();
    place.ahead = 59 * 60_000;
    await model.jobs.runDue();
    await model.removals.padAppeared(gone);
    expect(await shown(), 'the editor has nothing yet').to.deep.equal(away);
    comeBack();
    expect(await shown(), 'the editor has begun').to.deep.equal(away);
    await model.removals.padAppeared(gone);
    expect(await shown()).to.deep.equal(there);
    expect(await model.pads.find(gone)).to.deep.equal(before);
    expect(place.removed, 'nothing of the new pad').to.deep.equal([]);
  });

  for (const [title, later] of [
    ['at the next look', 10 * 60_000],
    ['also at the end of its time', 61 * 60_000],
  ] as const) {
    it(`gets its record back ${title} although no event reported its replacement`, async () => {
      await vanish();
      comeBack();
      place.ahead = later;
      await model.jobs.runDue();
      expect(await shown()).to.deep.equal(there);
      expect(place.removed).to.deep.equal([]);
    });
  }

  it('gets its record back after a restart when it was replaced', async () => {
    await vanish();
    comeBack();
    await restart();
    expect(await shown()).to.deep.equal(there);
  });

  const day = 24 * 3600_000;

  /** Gives the pad a link, an invitation and a request, and resolves to the ids of link and invitation. */
  async function giveParts(): Promise<{ link: string; invitation: string }> {
    const owner = (await model.users.findByLogin('owner'))?._id ?? '';
    const asking = (await model.users.register({ ...guestAccount, active: true }))._id;
    const { _id: link } = await model.groups.createLink(group, { pad: gone }, owner);
    await model.groups.addRequest(group, { user: asking, pad: gone, text: 'Please' }, () => true);
    const invitation = 'digest-of-a-token';
    const created = Date.now() - day;
    await model.store.set(keys.invitation(invitation), { group, pad: gone, created });
    const text = { address: 'invited@example.org', sentence: '', lang: '', seed: 'seed' };
    const times = { created, expires: created + 30 * day, mailed: created };
    const made: InvitationRecord = {
      _id: invitation,
      pad: gone,
      role: 'users',
      by: owner,
      mail: 'sent',
      reminded: true,
      ...text,
      ...times,
    };
    await model.store.update<GroupRecord>(
      keys.group(group),
      (stored) => stored && { ...stored, invitations: [made] },
    );
    return { link, invitation };
  }

  async function parts() {
    const { links, invitations, requests } = (await model.groups.find(group)) ?? {};
    return { links, invitations, requests };
  }
  const noParts = { links: [], invitations: [], requests: [] };
  const notesOf = ({ link, invitation }: { link: string; invitation: string }) =>
    [keys.link(link), keys.invitation(invitation)].map((key) => place.values.get(key));

  for (const [title, meanwhile] of [
    ['minutes later', async () => {}],
    [
      'after a crash between its note and its group',
      async () => {
        const { set } = place.database;
        place.database.set = (key, value) =>
          key === keys.group(group) ? Promise.reject(new Error('the database is away')) : set(key, value);
        return () => Object.assign(place.database, { set });
      },
    ],
  ] as const) {
    it(`keeps its links, invitations and requests when it is replaced ${title}`, async () => {
      const ids = await giveParts();
      const [before, notes] = [await parts(), notesOf(ids)];
      const [link] = before.links ?? [];
      const secret = link === undefined ? '' : model.groups.secretOf(link);
      const mend = await meanwhile();
      await vanish().catch(silent);
      if (mend) {
        mend();
        await until('the group can be read', () => succeeds(parts()));
      } else {
        expect(await parts()).to.deep.equal(noParts);
        expect(await model.groups.linkOfSecret(secret)).to.equal(undefined);
      }
      await model.jobs.runNow('endInvitations');
      comeBack();
      await model.removals.padAppeared(gone);
      expect(await shown()).to.deep.equal(there);
      expect(await parts()).to.deep.equal(before);
      expect(notesOf(ids)).to.deep.equal(notes);
      expect((await model.groups.linkOfSecret(secret))?.link).to.deep.equal(link);
    });
  }

  it('loses its links, invitations and requests with its record', async () => {
    const ids = await giveParts();
    await vanish();
    place.ahead = 61 * 60_000;
    await model.jobs.runDue();
    await model.jobs.idle();
    expect(await parts()).to.deep.equal(noParts);
    expect(notesOf(ids)).to.deep.equal([undefined, undefined]);
    expect([...place.values].filter((entry) => JSON.stringify(entry).includes(gone))).to.deep.equal([]);
  });

  it('is back with its links, invitations and requests when its group, meanwhile in the trash, is restored', async () => {
    await giveParts();
    const before = await parts();
    await vanish();
    await model.trash.addGroup(group, null);
    comeBack();
    await model.removals.padAppeared(gone);
    expect((await shown()).entry, 'in the trash').to.equal('removed');
    await model.trash.restoreGroup(group);
    expect(await shown()).to.deep.equal(there);
    expect(await parts()).to.deep.equal(before);
  });

  it('leaves no links and invitations when it is replaced after its group was removed', async () => {
    const ids = await giveParts();
    await vanish();
    await model.groups.remove(group);
    comeBack();
    await model.removals.padAppeared(gone);
    expect(notesOf(ids)).to.deep.equal([undefined, undefined]);
  });

  it('does not bring back the request and the invitation of accounts that were removed meanwhile', async () => {
    await giveParts();
    await vanish();
    const asking = (await model.users.findByLogin(guestAccount.login))?._id ?? '';
    await model.accountRemoval.remove(asking);
    await model.jobs.idle();
    comeBack();
    await model.removals.padAppeared(gone);
    const { links, requests } = await parts();
    expect([links?.length, requests]).to.deep.equal([1, []]);
    const left = [...place.values].filter((entry) => JSON.stringify(entry).includes(asking));
    expect(left.map(([key]) => key)).to.deep.equal([]);
  });

  it('gets its record back from a note of an earlier version, which has no links', async () => {
    await vanish();
    const note = place.values.get(keys.deletePad(gone)) as { vanished: Record<string, unknown> };
    const { record, since } = note.vanished;
    place.values.set(keys.deletePad(gone), { pad: gone, vanished: { record, since } });
    comeBack();
    await model.removals.padAppeared(gone);
    expect(await shown()).to.deep.equal(there);
    expect(await parts()).to.deep.equal(noParts);
  });

  it('loses its record after an hour, with its bookmarks', async () => {
    const owner = (await model.users.findByLogin('owner'))?._id ?? '';
    await model.bookmarks.toggle({ kind: 'user', id: owner, unlocked: () => false }, 'pads', gone);
    await vanish();
    place.ahead = 61 * 60_000;
    await model.jobs.runDue();
    await model.jobs.idle();
    expect(await shown()).to.deep.equal(forgotten);
    expect([...place.values].filter((entry) => JSON.stringify(entry).includes(gone))).to.deep.equal([]);
  });

  it('that vanishes again while its return is being noted loses its record after an hour too', async () => {
    const [slow = ''] = others;
    place.values.delete(`pad:${slow}`);
    const noticed = model.removals.padVanished(slow);
    await vanish();
    await noticed;
    comeBack();
    await model.removals.padAppeared(gone);
    place.ahead = 10 * 60_000;
    const { get } = place.database;
    const { held: answered, release: answer } = heldWork();
    let asked = false;
    place.database.get = async (key) => {
      if (key === keys.deletePad(slow)) {
        asked = true;
        await answered;
      }
      return get(key);
    };
    const looked = model.jobs.runDue();
    await until('the other pad is being looked at', () => asked);
    await vanish(async () => {
      answer();
      await looked;
    });
    expect(await shown()).to.deep.equal(away);
    place.database.get = get;
    for (const minutes of [40, 80, 120]) {
      place.ahead = minutes * 60_000;
      await model.jobs.runDue();
      await model.jobs.idle();
    }
    expect(await shown()).to.deep.equal(forgotten);
  });

  it('loses its record at the next start', async () => {
    await vanish();
    await restart();
    await model.jobs.idle();
    expect([...place.values].filter((entry) => JSON.stringify(entry).includes(gone))).to.deep.equal([]);
    expect((await model.groups.find(group))?.pads).to.deep.equal(others);
  });

  it('stays removed when it was removed again before its replacement was reported', async () => {
    await vanish();
    await model.removals.padVanished(gone);
    await model.removals.padAppeared(gone);
    expect(await shown()).to.deep.equal(away);
  });

  it('is closed when its group was removed before it is replaced', async () => {
    await vanish();
    await model.groups.remove(group);
    comeBack();
    await model.removals.padAppeared(gone);
    expect(await shown()).to.deep.include({ listed: false, entry: 'closed', managed: true });
    expect(place.values.get(`pad:${gone}`), 'its text is not ours to remove').to.deep.equal({ copy: true });
  });

  it('loses its record when it was removed in the plugin meanwhile', async () => {
    await vanish(() => model.pads.remove(gone));
    place.ahead = 10 * 60_000;
    await model.jobs.runDue();
    await model.jobs.idle();
    expect([...place.values].filter((entry) => JSON.stringify(entry).includes(gone))).to.deep.equal([]);
    expect(place.values.get(keys.jobs)).to.equal(undefined);
  });
});
