/** The search in texts: what is found, by whom, and when it is found no more. */
import { expect } from 'chai';
import type { SearchAnswer } from '../../api/search/schema';
import { type Call, callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildApiToken, buildGroup, buildPad } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { usePeople } from '../support/people';

// In the process only: it reads texts when the test says so. test/editor/search.test.ts searches in a real Etherpad.
inProcessOnly.describe('the search in texts over HTTP', () => {
  const people = usePeople();
  const { alice, bob, asAlice, asBob, asRoot } = people;

  /** Writes a text, as the editor does, and waits until it can be found. */
  async function write(pad: string, text: string, editor: string | null = null): Promise<void> {
    await people.app.ports.database.set(`pad:${pad}`, { text, edited: people.app.ports.now(), chatHead: -1 });
    people.app.ports.advance(120_000);
    await people.app.model.pads.touch(pad, editor);
    people.app.ports.advance(120_000);
    await people.app.model.textIndex.update();
  }

  /** A pad of Alice with this text. */
  async function written(
    text: string,
    group: Record<string, unknown> = {},
    pad: Record<string, unknown> = {},
  ) {
    const folder = await buildGroup(people.app, alice, group);
    const { _id } = await buildPad(people.app, alice, folder, pad);
    await write(_id, text);
    return { folder: folder._id, pad: _id };
  }

  async function search(call: Call, text: string, filters = ''): Promise<SearchAnswer> {
    const { status, body } = await call('get', `search?text=${encodeURIComponent(text)}${filters}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  const found = async (call: Call, text: string, filters = ''): Promise<string[]> =>
    (await search(call, text, filters)).value.map(({ pad }) => pad._id);

  /** Those of these pads that the index finds, whatever anybody may see. */
  const findAmong = (match: string, pads: string[]): Promise<string[]> =>
    people.app.model.textIndex.find(match, new Map(pads.map((id) => [id, id])));

  it('finds words, beginnings, phrases and other accents, with an excerpt', async () => {
    const { pad } = await written(
      'Minutes\nThe treasurer presents the Büdget of the Ångström prize. 東京で会う。\n',
    );
    for (const text of [
      'treasurer',
      'treas',
      'TREASURER presents',
      '"the treasurer presents"',
      'budget',
      'angstrom',
      '京で',
    ])
      expect(await found(asAlice, text), text).to.deep.equal([pad]);
    for (const text of ['"presents treasurer"', 'treasurer nothing', 'easurer', '東で'])
      expect(await found(asAlice, text), text).to.deep.equal([]);
    const { value, count, complete } = await search(asAlice, 'treas');
    expect([count, complete]).to.deep.equal([1, true]);
    expect(value[0]?.excerpt.filter((part) => part.found)).to.deep.equal([
      { text: 'treasurer', found: true },
    ]);
    expect(value[0]?.excerpt.map(({ text }) => text).join('')).to.include('Minutes The treasurer presents');
  });

  it('tells words apart whose vowels are marks, and finds those of Arabic and Hebrew with and without them', async () => {
    const texts = {
      '\u0e01\u0e34\u0e19': 'Thai: \u0e01\u0e34\u0e19\u0e02\u0e49\u0e32\u0e27',
      // Another vowel.
      '\u0e01\u0e31\u0e19': 'Thai: \u0e01\u0e31\u0e19\u0e22\u0e32',
      // "In", "of" and "book", in Hindi.
      '\u0915\u0940': '\u0930\u093e\u092e \u0915\u0940',
      '\u0915\u093e \u0915\u093f\u0924\u093e\u092c':
        '\u0915\u093e \u0915\u093f\u0924\u093e\u092c\u0947\u0902',
      '\u0645\u062d\u0645\u062f':
        '\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f\u064c \u0631\u0633\u0640\u0640\u0648\u0644',
      '\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd': '\u05e9\u05dc\u05d5\u05dd',
      Sunday: 'The weather: \u2600\ufe0fSunday',
    };
    const pads = new Map<string, string>();
    for (const [word, text] of Object.entries(texts)) pads.set(word, (await written(text)).pad);
    await checkEach(pads, async (pad, word) => {
      const { value } = await search(asAlice, word);
      expect(value.map(({ pad: { _id } }) => _id)).to.deep.equal([pad]);
      expect(value[0]?.excerpt.some((part) => part.found)).to.equal(true);
    });
  });

  it('finds only pads that are named, among few and among thousands', async () => {
    const [one, two] = [await written('shared words\n'), await written('shared words\n')];
    const others = Array.from({ length: 3_000 }, (_, number) => `other-${number}`);
    const find = (pads: string[]) => findAmong('"shared"', pads);
    expect(await find([one.pad])).to.deep.equal([one.pad]);
    expect(await find([...others, one.pad])).to.deep.equal([one.pad]);
    expect(await find([...others, one.pad, two.pad])).to.have.members([one.pad, two.pad]);
    expect(await find(others)).to.deep.equal([]);
  });

  it('finds what a text says now, a minute after the last change', async () => {
    const { pad } = await written('before\n');
    await people.app.ports.database.set(`pad:${pad}`, { text: 'afterwards\n', edited: 1, chatHead: -1 });
    await people.app.model.pads.touch(pad, null);
    await people.app.model.textIndex.update();
    expect(await found(asAlice, 'afterwards'), 'somebody may still be writing').to.deep.equal([]);
    people.app.ports.advance(120_000);
    await people.app.model.textIndex.update();
    expect([await found(asAlice, 'afterwards'), await found(asAlice, 'before')]).to.deep.equal([[pad], []]);
  });

  it('is limited to what the caller may open: members, readers, shared pads and unlocked ones', async () => {
    const cases: Record<string, [make: () => Promise<string>, isFound: boolean]> = {
      'nothing of a restricted folder': [async () => (await written('secretword')).pad, false],
      'as a member': [async () => (await written('secretword', { users: [bob.id] })).pad, true],
      'as a reader': [async () => (await written('secretword', { readers: [bob.id] })).pad, true],
      'nothing of a pad with a password of its own': [
        async () =>
          (await written('secretword', { users: [bob.id] }, { visibility: 'private', password: 'p' })).pad,
        false,
      ],
      'of one that was unlocked': [
        async () => {
          const { pad } = await written(
            'secretword',
            { users: [bob.id] },
            { visibility: 'private', password: 'p' },
          );
          await asBob('post', `pad/${pad}/unlock`, { password: 'p' }).expect(200);
          return pad;
        },
        true,
      ],
      'of a pad that is shared alone': [
        async () => {
          const { pad } = await written('secretword');
          await asAlice('post', `pad/${pad}/people`, { loginsOrEmails: [bob.login], role: 'reader' }).expect(
            200,
          );
          return pad;
        },
        true,
      ],
      'nothing of a public folder that is in no list of theirs': [
        async () => (await written('secretword', { visibility: 'public' })).pad,
        false,
      ],
      'of a public folder that they have bookmarked': [
        async () => {
          const { folder, pad } = await written('secretword', { visibility: 'public' });
          await asBob('post', 'usermark', { type: 'groups', key: folder }).expect(200);
          return pad;
        },
        true,
      ],
    };
    await checkEach(cases, async ([make, isFound]) => {
      const pad = await make();
      const { value, count } = await search(asBob, 'secretword');
      expect(value.some(({ pad: { _id } }) => _id === pad)).to.equal(isFound);
      expect(count).to.equal(value.length);
    });
  });

  it('forgets at once what a person lost, what was deleted, and what was locked', async () => {
    const { folder, pad } = await written('ephemeral', { users: [bob.id] });
    expect(await found(asBob, 'ephemeral')).to.deep.equal([pad]);
    await asAlice('put', `pad/${pad}`, { visibility: 'private', password: 'p' }).expect(200);
    expect(await search(asBob, 'ephemeral')).to.deep.include({ value: [], count: 0 });
    await asAlice('put', `pad/${pad}`, { visibility: null }).expect(200);
    expect(await found(asBob, 'ephemeral')).to.deep.equal([pad]);
    await asAlice('put', `group/${folder}`, { users: [] }).expect(200);
    expect(await search(asBob, 'ephemeral')).to.deep.include({ value: [], count: 0 });
    await asAlice('delete', `pad/${pad}`).expect(200);
    expect(await search(asAlice, 'ephemeral')).to.deep.include({ value: [], count: 0 });
  });

  it('stores no text of a pad that is deleted while its text is read', async () => {
    const folder = await buildGroup(people.app, alice);
    const { _id: pad } = await buildPad(people.app, alice, folder);
    const { pads } = people.app.ports;
    const { text } = pads;
    pads.text = async (id) => {
      const read = await text(id);
      if (id === pad) await asAlice('delete', `pad/${pad}?permanent=true`).expect(200);
      return read;
    };
    try {
      await write(pad, 'written and deleted\n');
    } finally {
      pads.text = text;
    }
    await people.app.idle();
    expect(await findAmong('"written"', [pad])).to.deep.equal([]);
  });

  it('has filters for folder, person and time, pages, and the latest change first', async () => {
    const first = await written('harvest one', { users: [bob.id] });
    const { _id: second } = await buildPad(people.app, alice, { _id: first.folder });
    await asBob('put', `user/${bob.login}`, { useLoginAndColorInPads: true }).expect(200);
    await write(second, 'harvest two', bob.id);
    const since = people.app.ports.now();
    const other = await written('harvest three');
    expect(await found(asAlice, 'harvest')).to.deep.equal([other.pad, second, first.pad]);
    expect(await found(asAlice, 'harvest', `&group=${first.folder}`)).to.deep.equal([second, first.pad]);
    expect(await found(asAlice, 'harvest', `&by=${bob.id}`)).to.deep.equal([second]);
    expect(await found(asAlice, 'harvest', `&since=${since}`)).to.deep.equal([other.pad]);
    expect(await found(asAlice, 'harvest', '&offset=1&limit=1')).to.deep.equal([second]);
    expect((await search(asAlice, 'harvest', '&offset=1&limit=1')).count).to.equal(3);
  });

  it('is for API tokens that may read', async () => {
    const { pad } = await written('tokenword');
    const token = callerOf(people.app, await buildApiToken(people.app, alice, { scopes: ['read'] }));
    expect(await found(token, 'tokenword')).to.deep.equal([pad]);
    const other = callerOf(people.app, await buildApiToken(people.app, alice, { scopes: ['people'] }));
    expect((await other('get', 'search?text=tokenword')).status).to.equal(403);
  });

  it('is limited to folders with a tag, and says nothing of tags of folders that the person does not see', async () => {
    const { folder, pad } = await written('A pelican at the pond', { tags: ['birds'], users: [bob.id] });
    await written('A pelican in the zoo', { tags: ['zoo'] });
    expect(await found(asAlice, 'pelican', '&tag=birds')).to.deep.equal([pad]);
    expect(await found(asBob, 'pelican', '&tag=birds')).to.deep.equal([pad]);
    expect(await found(asAlice, 'pelican', '&tag=bird')).to.deep.equal([]);
    // The pad alone is shared with Bob.
    await asAlice('put', `group/${folder}`, { users: [] }).expect(200);
    await asAlice('post', `pad/${pad}/people`, { loginsOrEmails: [bob.login], role: 'reader' }).expect(200);
    expect(await found(asBob, 'pelican')).to.deep.equal([pad]);
    expect(await found(asBob, 'pelican', '&tag=birds')).to.deep.equal([]);
  });

  it('refuses what is no search, and finds nothing for signs alone', async () => {
    for (const query of ['', 'text=', `text=${'x'.repeat(300)}`, 'text=a&limit=0', 'text=a&since=yesterday'])
      expect((await asAlice('get', `search?${query}`)).status, query).to.equal(400);
    for (const text of ['***', '"', '(', 'a AND', 'NEAR(', '-x', 'text:x'])
      expect((await search(asAlice, text)).count, text).to.equal(0);
  });

  it('finds the same as before after any search, also with characters that no text has', async () => {
    const { pad } = await written('steadfast words\n');
    for (const text of ['stead\0fast', '"steadfast\0', '\0', 'a\u0001b', '\ufeff\u200b'])
      expect((await asAlice('get', `search?text=${encodeURIComponent(text)}`)).status, text).to.equal(200);
    const { value, complete } = await search(asAlice, 'steadfast');
    expect([complete, value.map(({ pad: { _id } }) => _id)]).to.deep.equal([true, [pad]]);
  });

  it('shows excerpts of long texts that have a word thousands of times', async () => {
    const { pad } = await written('abc '.repeat(100_000));
    const { value } = await search(asAlice, 'abc');
    expect(value.map(({ pad: { _id }, excerpt }) => [_id, excerpt[0]])).to.deep.equal([
      [pad, { text: 'abc', found: true }],
    ]);
  });

  it('keeps no text while it is switched off, and reads all again afterwards', async () => {
    const { pad } = await written('switchword');
    await asRoot('put', 'configuration/searchTexts', { value: false }).expect(200);
    await people.app.model.textIndex.update();
    expect((await asAlice('get', 'search?text=switchword')).status).to.equal(404);
    expect(await findAmong('"switchword"', [pad])).to.deep.equal([]);
    await asRoot('put', 'configuration/searchTexts', { value: true }).expect(200);
    expect((await search(asAlice, 'switchword')).complete).to.equal(false);
    await people.app.model.textIndex.update();
    expect(await found(asAlice, 'switchword')).to.deep.equal([pad]);
  });
});
