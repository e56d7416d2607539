/**
 * Pads that the operator removes, replaces or moves without the plugin: through the API, the administration or an
 * import of Etherpad.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { wantedMajor } from '../../bin/etherpad';
import { temporaryFolder } from '../support/app';
import { type RunningEtherpad, startEtherpad } from '../support/etherpad';
import { hostApi, removeAsAdministrator } from '../support/hostApi';
import {
  createFixture,
  entryCookieOf,
  type Fixture,
  type Person,
  untilAccountsAreIndexed,
} from '../support/hostFixture';
import { legacyGroups, readDirty } from '../support/legacy';
import { databaseWithLongPads, tracesOf } from '../support/longPads';
import { PadClient } from '../support/socketClient';
import { until } from '../support/waiting';

/** A pad with so many revisions that the host takes seconds to remove them. */
const long = 'long-history';

describe('changes that Etherpad makes by itself', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  let etherpad: RunningEtherpad;
  let fixture: Fixture;
  let owner: Person;
  let group: string;

  before(async () => {
    const database = databaseWithLongPads(folder.path, { ids: [long], revisions: 40_000, chat: 10 });
    etherpad = await startEtherpad({ database });
    fixture = createFixture(etherpad);
    await untilAccountsAreIndexed(etherpad);
  });
  after(async () => {
    await etherpad?.stop();
    folder.remove();
  });
  beforeEach(async () => {
    owner = await fixture.person('owner');
    group = await fixture.group(owner);
  });

  const listed = async (id: string, gid = group, { token } = owner): Promise<boolean> => {
    const { body } = await etherpad.api('GET', `group/${gid}`, { token });
    return (body as { value: { pads: string[] } }).value.pads.includes(id);
  };
  const text = async (id: string, cookie?: string): Promise<unknown> => {
    const { status, body } = await etherpad.get(`/p/${id}/export/txt`, { cookie });
    return status === 200 ? body : status;
  };
  const gone = (id: string) => until(`${id} is on no list`, async () => !(await listed(id)));
  /** Waits until the plugin no longer waits for a replaced pad to return, and has acted. */
  const afterTheDelay = (): Promise<void> => wait(2_000);
  const record = (id: string): unknown => readDirty(etherpad.databaseFile).get(`mypads:pad:${id}`);

  /** A pad that only its owner may see, with this text. */
  async function secret(content: string): Promise<string> {
    const id = await fixture.pad(owner, group);
    await hostApi(etherpad, 'setText', { padID: id, text: content });
    return id;
  }

  /** Requests the pad as a guest, again and again, until `work` is done. Returns the distinct answers. */
  async function guestMeanwhile(id: string, work: () => Promise<unknown>): Promise<unknown[]> {
    const seen = new Set<unknown>();
    let busy = true;
    const watch = (async () => {
      while (busy) {
        seen.add(await text(id));
        // So that these calls do not delay the server's own work.
        await wait(10);
      }
      seen.add(await text(id));
    })();
    try {
      await work();
    } finally {
      busy = false;
      await watch;
    }
    return [...seen];
  }

  const ways: Record<string, (id: string) => Promise<unknown>> = {
    "Etherpad's API": (id) => hostApi(etherpad, 'deletePad', { padID: id }),
    // The administration page of 1.8.14 has no list of pads.
    ...(wantedMajor() > 1 && {
      "Etherpad's administration page": (id: string) => removeAsAdministrator(etherpad, id),
    }),
  };
  for (const [title, remove] of Object.entries(ways)) {
    it(`a pad removed by ${title} is removed from its folder and from bookmarks, and its address is closed`, async () => {
      const id = await secret('To be removed.\n');
      await etherpad.api('POST', 'usermark', { token: owner.token, body: { type: 'pads', key: id } });
      const editor = await PadClient.writer(etherpad, owner.cookie, id);
      const sentAway = editor.gone(10_000);
      await remove(id);
      await sentAway;
      await gone(id);
      expect((await etherpad.api('GET', `pad/${id}`, { token: owner.token })).status).to.equal(404);
      expect(await text(id, owner.cookie)).to.be.oneOf([401, 404]);
      expect(await text(id)).to.be.oneOf([401, 404]);
      const { body } = await etherpad.api('GET', 'group', { token: owner.token });
      const { pads, bookmarks } = (body as { value: { pads: object; bookmarks: { pads: object } } }).value;
      expect([Object.keys(pads), Object.keys(bookmarks.pads)]).to.deep.equal([[], []]);
      await etherpad.restart();
      await until('nothing is left in the database', async () => {
        const records = readDirty(etherpad.databaseFile);
        const named = [...records].filter(
          ([key, value]) => /^(?:mypads|globalAuthor):/.test(key) && JSON.stringify(value).includes(id),
        );
        return tracesOf(id, records).length + named.length === 0;
      });
    });
  }

  it('a pad that is made again under its old name belongs to the same people, at once as well as later', async () => {
    for (const later of [false, true]) {
      const id = await secret('The old text.\n');
      const before = record(id);
      await hostApi(etherpad, 'deletePad', { padID: id });
      if (later) await gone(id);
      await hostApi(etherpad, 'createPad', { padID: id, text: 'The new text.\n' });
      expect(await text(id), 'for a guest').to.equal(401);
      await until('its owner reads it', async () => (await text(id, owner.cookie)) === 'The new text.\n\n');
      await afterTheDelay();
      expect(await text(id), 'for a guest').to.equal(401);
      expect(await listed(id)).to.equal(true);
      await until(
        'the record is as it was',
        async () => JSON.stringify(record(id)) === JSON.stringify(before),
      );
    }
  });

  for (const call of ['copyPad', 'copyPadWithoutHistory', 'movePad']) {
    it(`${call} over a pad shows the new text to those who could see the old one, and never to a guest`, async () => {
      const id = await secret('The old text.\n');
      const before = record(id) as object;
      const source = await secret('The new text.\n');
      const parameters = { sourceID: source, destinationID: id, force: 'true' };
      const seen = await guestMeanwhile(id, async () => {
        await hostApi(etherpad, call, parameters);
        await afterTheDelay();
      });
      expect(seen).to.deep.equal([401]);
      await until('its owner reads it', async () =>
        String(await text(id, owner.cookie)).startsWith('The new text.'),
      );
      expect(await listed(id)).to.equal(true);
      expect(record(id)).to.deep.include(before);
      expect(await listed(source)).to.equal(call !== 'movePad');
    });
  }

  it('a pad that another one is copied over counts as changed, so that the search reads its new text', async () => {
    const id = await fixture.pad(owner, group);
    const changed = () => (record(id) as { lastUpdate?: number }).lastUpdate;
    expect(changed()).to.equal(undefined);
    const sourceID = await secret('The new text.\n');
    await hostApi(etherpad, 'copyPad', { sourceID, destinationID: id, force: 'true' });
    await until('the change is known', () => changed() !== undefined);
  });

  it('a pad keeps its record while a slow replacement runs, and is closed to guests meanwhile', async () => {
    const answer = await etherpad.api('POST', 'auth/login', {
      body: { login: 'alice', password: 'alice-password-1' },
    });
    const alice = { token: (answer.body as { token: string }).token, cookie: entryCookieOf(answer) ?? '' };
    const inClass = () => listed(long, legacyGroups.class, alice as Person);
    expect(await inClass()).to.equal(true);
    const source = await secret('The new text.\n');
    const seen = await guestMeanwhile(long, () =>
      hostApi(etherpad, 'copyPad', { sourceID: source, destinationID: long, force: 'true' }),
    );
    expect(seen).to.deep.equal([401]);
    await until('alice reads it', async () => (await text(long, alice.cookie)) === 'The new text.\n');
    expect(await inClass()).to.equal(true);
    await afterTheDelay();
    expect([await text(long), await text(long, alice.cookie)]).to.deep.equal([401, 'The new text.\n']);
  });

  it('an import that replaces the text of a pad does not change its access rights', async () => {
    const id = await secret('The old text.\n');
    const before = record(id) as object;
    const source = await secret('The imported text.\n');
    const file = await etherpad.get(`/p/${source}/export/etherpad`, { cookie: owner.cookie });
    const content = typeof file.body === 'string' ? file.body : JSON.stringify(file.body);
    const form = new FormData();
    form.set('file', new Blob([content]), 'export.etherpad');
    const imported = await etherpad.get(`/p/${id}/import`, { method: 'POST', form, cookie: owner.cookie });
    expect(imported.status).to.equal(200);
    await until('its owner reads it', async () => (await text(id, owner.cookie)) === 'The imported text.\n');
    expect(await text(id)).to.equal(401);
    await afterTheDelay();
    expect(record(id)).to.deep.include(before);
    expect(await listed(id)).to.equal(true);
  });

  it('an import of a pad with its history is a change, for the search and for those who have the pad open', async () => {
    const id = await fixture.pad(owner, group, { visibility: 'public' });
    const file = await etherpad.get(`/p/${await secret('The new text.\n')}/export/etherpad`, {
      cookie: owner.cookie,
    });
    const form = new FormData();
    form.set('file', new Blob([String(file.body)]), 'export.etherpad');
    const own = await PadClient.enter(etherpad, owner.cookie, id);
    const other = await PadClient.enter(etherpad, '', id);
    const reloads = other.next('a reload', ({ data }) => data?.type === 'EP_MYPADS_ACCESS_CHANGED');
    const imported = await etherpad.get(`/p/${id}/import`, { method: 'POST', form, cookie: owner.cookie });
    expect(imported.status).to.equal(200);
    await until(
      'the change is known',
      () => (record(id) as { lastUpdate?: number }).lastUpdate !== undefined,
    );
    await reloads;
    await other.gone();
    expect(own.closed, 'Etherpad reloads the editor of whoever imports').to.equal(false);
    own.close();
  });

  it('a pad that is removed while people write in it is not created again by what they have sent', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push(await fixture.pad(owner, group));
    for (const id of ids) {
      const writers = await Promise.all(
        [owner, owner].map(({ cookie }) => PadClient.connect(etherpad, cookie)),
      );
      for (const writer of writers) {
        expect(await writer.join(id)).to.equal('write');
        await writer.write('written before\n');
      }
      const removed = etherpad.removeAsHost(id);
      for (let sent = 0; sent < 1_000 && writers.some(({ closed }) => !closed); sent++) {
        for (const writer of writers) writer.sendChange('too late');
        await wait(1);
      }
      expect(await removed).to.equal(true);
      for (const writer of writers) await writer.gone();
    }
    await afterTheDelay();
    // The plugin's own record of the removal stays, in case the pad is made again.
    const left = (id: string) =>
      tracesOf(id, readDirty(etherpad.databaseFile)).filter((key) => key.startsWith('pad:'));
    expect(ids.flatMap(left)).to.deep.equal([]);
  });

  it('a pad moved to another name becomes a pad of Etherpad: open only where these are allowed', async () => {
    const id = await secret('Moved away.\n');
    const name = `moved-${id}`;
    await hostApi(etherpad, 'movePad', { sourceID: id, destinationID: name, force: 'false' });
    await gone(id);
    expect(await text(id, owner.cookie)).to.be.oneOf([401, 404]);
    expect(await text(name)).to.equal('Moved away.\n');
    await fixture.configure('allowEtherPads', false);
    try {
      expect(await text(name)).to.equal(401);
      expect(await text(name, owner.cookie)).to.equal(401);
    } finally {
      await fixture.configure('allowEtherPads', true);
    }
  });
});
