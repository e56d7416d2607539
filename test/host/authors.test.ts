/** The author of a text has the name of the account, and no name any more when the account was removed. */
import { expect } from 'chai';
import { type Person, password } from '../support/hostFixture';
import { readDirty } from '../support/legacy';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';
import { until } from '../support/waiting';

interface Authors {
  data?: { collab_client_vars?: { historicalAuthorData?: Record<string, { name?: string | null } | null> } };
}

describe('the author of a text', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad();

  /** The names of all authors of the pad, as a reader's editor gets them. */
  async function namesIn(pad: string, reader: Person): Promise<unknown[]> {
    const client = await PadClient.connect(etherpad, reader.cookie);
    await client.join(pad);
    const welcome = client.messages.find(({ type }) => type === 'CLIENT_VARS') as Authors | undefined;
    client.close();
    return Object.values(welcome?.data?.collab_client_vars?.historicalAuthorData ?? {}).map(
      (author) => author?.name ?? null,
    );
  }

  interface AuthorRecord {
    name?: string | null;
    colorId?: unknown;
    padIDs?: Record<string, unknown>;
  }

  /** Etherpad's author with this name, and the browser tokens that belong to it. */
  function authorNamed(name: string): { id: string; browsers: string[] } | undefined {
    const records = [...readDirty(etherpad.databaseFile)];
    const found = records.find(
      ([key, value]) => key.startsWith('globalAuthor:') && (value as AuthorRecord).name === name,
    );
    if (found === undefined) return undefined;
    const id = found[0].slice('globalAuthor:'.length);
    const browsers = records.filter(([key, value]) => key.startsWith('token2author:') && value === id);
    return { id, browsers: browsers.map(([key]) => key) };
  }

  const recordOf = (id: string) =>
    readDirty(etherpad.databaseFile).get(`globalAuthor:${id}`) as AuthorRecord | undefined;

  it('loses name, colour and browsers when the account is removed, and the text stays', async () => {
    const leaving = await fixture.person('leaving');
    await fixture.change(leaving, `user/${leaving.login}`, { color: '#a1b2c3' });
    const group = await fixture.group(owner, { users: [leaving.id] });
    const pad = await fixture.pad(owner, group);
    const writer = await PadClient.writer(etherpad, leaving.cookie, pad);
    await writer.write('Written before leaving. ');
    expect(await namesIn(pad, owner)).to.include(leaving.login);
    await until('the author is known', () => (authorNamed(leaving.login)?.browsers.length ?? 0) > 0);
    const { id, browsers } = authorNamed(leaving.login) ?? { id: '', browsers: [] };
    expect(recordOf(id)?.colorId).to.equal('#a1b2c3');
    const removed = await etherpad.api('DELETE', `user/${leaving.login}`, {
      token: leaving.token,
      body: { currentPassword: password },
    });
    expect(removed.status).to.equal(200);
    await writer.gone();
    await until('the name is gone', async () => !(await namesIn(pad, owner)).includes(leaving.login));
    await until('the colour is gone', () => recordOf(id)?.colorId !== '#a1b2c3');
    expect(recordOf(id)?.name ?? null).to.equal(null);
    await until('no browser is this author any more', () => {
      const records = readDirty(etherpad.databaseFile);
      return browsers.every((key) => !records.has(key));
    });
    const text = await etherpad.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
    expect(text.body).to.include('Written before leaving.');
  });

  it('is no longer linked to a pad that was removed', async () => {
    const group = await fixture.group(owner);
    const [kept, removed] = [await fixture.pad(owner, group), await fixture.pad(owner, group)];
    const writer = await PadClient.writer(etherpad, owner.cookie, kept);
    await writer.write('Here. ');
    writer.close();
    const other = await PadClient.writer(etherpad, owner.cookie, removed);
    await other.write('There. ');
    other.close();
    const pads = (): string[] =>
      [...readDirty(etherpad.databaseFile)]
        .filter(([key]) => key.startsWith('globalAuthor:'))
        .flatMap(([, value]) => Object.keys((value as AuthorRecord).padIDs ?? {}));
    await until('both are noted', () => [kept, removed].every((pad) => pads().includes(pad)));
    expect(
      (await etherpad.api('DELETE', `pad/${removed}?permanent=true`, { token: owner.token })).status,
    ).to.equal(200);
    await until('one is noted', () => !pads().includes(removed));
    expect(pads()).to.include(kept);
  });
});
