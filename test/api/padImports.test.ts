/** Making folders and pads of the files in a ZIP, which may come from anybody. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import type { ImportProgress, PlannedImport } from '../../api/padImport/schema';
import type { DomainEvent } from '../../model/events';
import { readJobs } from '../../model/jobs/jobList';
import { zipLimits } from '../../model/limits';
import { keys } from '../../model/store/store';
import { callerOf, snapshot } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildApiToken, buildGroup, buildUser, signIn, signInAsAdmin } from '../support/factories';
import { inProcessOnly, overNetwork } from '../support/network';
import { usePeople } from '../support/people';
import { until } from '../support/waiting';
import { type RawEntry, rawZip, sendZip, zipOf } from '../support/zips';

const errorOf = ({ status, body }: { status: number; body: { error?: string } }) => [
  status,
  body.error?.replace('BACKEND.ERROR.', ''),
];

/** An export of Etherpad with all revisions: there is one. */
function etherpadFile(text: string): string {
  const length = text.length.toString(36);
  const attribs = `|1+${(text.length + 1).toString(36)}`;
  const content = { atext: { text: `${text}\n`, attribs }, pool: { numToAttrib: {}, nextNum: 0 } };
  const changeset = `Z:1>${length}+${length}$${text}`;
  return JSON.stringify({
    'pad:x': { ...content, head: 0, chatHead: -1, publicStatus: false, savedRevisions: [] },
    'pad:x:revs:0': { changeset, meta: { author: '', timestamp: 1, ...content } },
  });
}

/** A ZIP as ep_mypads exports a class: two folders, the first with everything that an index can say. */
const exported = (more: object = {}): Record<string, string> => ({
  'index.json': JSON.stringify({
    format: 'ep_mypads',
    version: 1,
    server: 'https://pads.example.org',
    createdAt: 1_700_000_000_000,
    createdBy: 'ada',
    folders: [
      {
        name: 'Class 5a',
        description: 'Everything of 5a',
        tags: ['2026', '2026', 'school'],
        visibility: 'public',
        path: 'Class 5a',
        people: [{ username: 'bob', name: 'Bob', role: 'writer' }],
        pads: [
          {
            name: 'Homework',
            template: true,
            files: {
              text: 'Class 5a/Homework.txt',
              html: 'Class 5a/Homework.html',
              etherpad: 'Class 5a/Homework.etherpad',
            },
          },
          { name: 'Trip', files: { text: 'Class 5a/Trip.txt', html: 'Class 5a/Trip.html' } },
          { name: 'Lost', files: { text: 'Class 5a/Lost.txt' } },
        ],
      },
      {
        name: 'Staff',
        visibility: 'private',
        path: 'Staff',
        pads: [{ name: 'Plan', files: { text: 'Staff/Plan.txt' } }],
      },
    ],
    leftOut: [],
    ...more,
  }),
  'index.html': '<p>An overview</p>',
  'Class 5a/Homework.txt': 'as text',
  'Class 5a/Homework.html': '<p>as HTML</p>',
  'Class 5a/Homework.etherpad': etherpadFile('as records'),
  'Class 5a/Trip.txt': 'as text',
  'Class 5a/Trip.html': '<p>as HTML</p>',
  'Staff/Plan.txt': 'the plan',
});

describe('importing pads', () => {
  const people = usePeople();
  const { alice, bob, carol, asAlice, asBob, asRoot, buildShared, groupRecord, groupsOf } = people;

  const preview = async (zip: Buffer, query: Record<string, string> = {}): Promise<PlannedImport> =>
    (await sendZip(people.app, alice.token, zip, { preview: 'true', ...query }).expect(200)).body;

  /** Imports a ZIP as Alice, and waits until it is done. */
  async function importAll(zip: Buffer, query: Record<string, string> = {}): Promise<ImportProgress> {
    const { body } = await sendZip(people.app, alice.token, zip, query).expect(200);
    await people.app.idle();
    return (await asAlice('get', `imports/${body.key}`).expect(200)).body;
  }

  const textOf = async (padId: string): Promise<string> => (await people.app.readText(padId)).trim();

  const namesIn = (plan: PlannedImport): Record<string, string[]> =>
    Object.fromEntries(plan.folders.map(({ name, pads }) => [name, pads.map((pad) => pad.name)]));

  const notes = {
    'readme.md': '# Notes',
    'School/Homework.md': 'Page 12',
    'School/Maths/Sums.txt': '\ufeff1 + 1',
    'School/Page.htm': '<b>Bold</b>',
    '__MACOSX/School/._Homework.md': 'x',
    'School/.DS_Store': 'x',
    'School/Thumbs.db': 'x',
  };

  it('shows what would be made of a folder of notes, and makes nothing', async () => {
    const before = await snapshot(people.app);
    const plan = await preview(await zipOf(notes), { name: 'My notes.zip' });
    expect(plan.key).to.equal(null);
    expect(namesIn(plan)).to.deep.equal({
      'My notes': ['readme'],
      School: ['Homework', 'Page'],
      'School / Maths': ['Sums'],
    });
    expect(plan.folders[0]?.pads[0]?.format).to.equal('markdown');
    expect(plan.skipped).to.deep.equal([]);
    expect(await snapshot(people.app)).to.deep.equal(before);
  });

  it('makes a folder of each folder of the ZIP, which only the person who imports can open', async () => {
    const done = await importAll(await zipOf(notes), { name: 'My notes.zip' });
    expect([done.state, done.done, done.total, done.failed]).to.deep.equal(['done', 4, 4, []]);
    expect(done.groups.map(({ name }) => name)).to.deep.equal(['My notes', 'School', 'School / Maths']);
    const texts = await Promise.all(done.pads.map(async ({ _id, name }) => [name, await textOf(_id)]));
    expect(texts.slice(0, 2)).to.deep.equal([
      ['readme', '# Notes'],
      ['Homework', 'Page 12'],
    ]);
    expect(texts.map(([, text]) => text)).to.include('1 + 1');
    const group = await groupRecord(done.groups[1]?._id ?? '');
    expect(group).to.deep.include({ visibility: 'restricted', admins: [alice.id], users: [], readers: [] });
    expect(group?.pads).to.have.members(
      done.pads.filter((pad) => pad.group === group?._id).map(({ _id }) => _id),
    );
    const { body } = await asAlice('get', `group/${group?._id}`).expect(200);
    expect(body.value.pads).to.have.length(2);
  });

  it('makes the pads in a chosen folder, with the names of their folders, or without', async () => {
    const group = await buildShared();
    const zip = await zipOf(notes);
    const plan = await preview(zip, { group: group._id });
    const all = plan.folders.flatMap(({ pads }) => pads.map(({ name }) => name));
    expect(all).to.have.members(['readme', 'School / Homework', 'School / Maths / Sums', 'School / Page']);
    const done = await importAll(zip, { group: group._id, folderNames: 'false' });
    expect(done.groups).to.deep.equal([]);
    expect(done.pads.map(({ name }) => name)).to.have.members(['readme', 'Homework', 'Sums', 'Page']);
    expect((await groupRecord(group._id))?.pads).to.have.members(done.pads.map(({ _id }) => _id));
  });

  it('restores an export of this app: the best format of each pad, templates and tags, and no people', async () => {
    const zip = await zipOf(exported());
    const plan = await preview(zip);
    expect(namesIn(plan)).to.deep.equal({ 'Class 5a': ['Homework', 'Trip'], Staff: ['Plan'] });
    expect(plan.folders.map(({ wasOpen, people: count }) => [wasOpen, count])).to.deep.equal([
      ['public', 1],
      ['private', 0],
    ]);
    expect(plan.folders[0]?.pads.map(({ format }) => format)).to.deep.equal(['etherpad', 'html']);
    expect(plan.skipped).to.deep.equal([{ path: 'Lost', fault: 'missing' }]);
    const done = await importAll(zip);
    const [first, second] = await Promise.all(done.groups.map(({ _id }) => groupRecord(_id)));
    expect(first).to.deep.include({
      name: 'Class 5a',
      description: 'Everything of 5a',
      tags: ['2026', 'school'],
      visibility: 'restricted',
      admins: [alice.id],
      users: [],
    });
    expect(second).to.deep.include({ name: 'Staff', visibility: 'restricted', password: null });
    const pads = await people.app.model.pads.findMany(done.pads.map(({ _id }) => _id));
    expect([...pads.values()].filter(({ template }) => template).map(({ name }) => name)).to.deep.equal([
      'Homework',
    ]);
    expect(await textOf(done.pads[1]?._id ?? '')).to.contain('as HTML');
  });

  it('knows an export that was unpacked, and is sent as a folder or packed again', async () => {
    const within = Object.fromEntries(
      Object.entries(exported()).map(([path, text]) => [`Export 1/${path}`, text]),
    );
    const zip = await zipOf({ ...within, 'Export 1/.DS_Store': 'x', '__MACOSX/Export 1/._index.json': 'x' });
    const names = { 'Class 5a': ['Homework', 'Trip'], Staff: ['Plan'] };
    expect(namesIn(await preview(zip))).to.deep.equal(names);
    const beside = await zipOf({ ...within, 'Other.txt': 'of nobody' });
    expect(Object.keys(namesIn(await preview(beside)))).to.include('Import');
  });

  it('uses the next format when the best cannot be read, and says which files it cannot read', async () => {
    const files = {
      ...exported(),
      'Class 5a/Homework.etherpad': 'broken',
      'Staff/Plan.txt': Buffer.from([0xff, 0xe4]),
    };
    const plan = await preview(await zipOf(files));
    expect(plan.folders[0]?.pads[0]).to.deep.equal({ name: 'Homework', format: 'html' });
    expect(plan.skipped).to.deep.include({ path: 'Staff/Plan.txt', fault: 'encoding' });
    const utf16 = Buffer.from('\ufeffGr\u00fc\u00dfe', 'utf16le');
    const others = await preview(
      await zipOf({
        'a/One.txt': 'One',
        'a/photo.jpg': 'x',
        'a/inner.zip': await zipOf({ 'x.txt': 'x' }),
        'a/Letter.docx': 'x',
        'a/latin.txt': Buffer.from('Gr\u00fc\u00dfe', 'latin1'),
        'a/program.txt': 'a\0b',
        'a/utf16.txt': utf16,
        'a/utf16be.txt': Buffer.from(utf16).swap16(),
        'a/long.txt': Array.from({ length: 300_000 }, (_, at) => (at * 7919).toString(36)).join('\n'),
        'a/broken.etherpad': 'x',
      }),
    );
    expect(namesIn(others)).to.deep.equal({ a: ['One', 'utf16', 'utf16be'] });
    expect(Object.fromEntries(others.skipped.map(({ path, fault }) => [path, fault]))).to.deep.equal({
      'a/photo.jpg': 'kind',
      'a/inner.zip': 'zip',
      'a/Letter.docx': 'document',
      'a/latin.txt': 'encoding',
      'a/program.txt': 'encoding',
      'a/long.txt': 'tooLarge',
      'a/broken.etherpad': 'invalid',
    });
    expect(others.skippedCount).to.equal(7);
  });

  it('leaves out a file that is too large, and uses the next format of its pad', async () => {
    const large = Buffer.alloc(zipLimits.entry + 1, randomBytes(30_000));
    const files = { ...exported(), 'Class 5a/Homework.etherpad': large, 'Staff/Plan.txt': large };
    const plan = await preview(await zipOf(files));
    expect(plan.folders[0]?.pads[0]).to.deep.equal({ name: 'Homework', format: 'html' });
    expect(plan.skipped).to.deep.include({ path: 'Staff/Plan.txt', fault: 'tooLarge' });
  });

  it('makes one pad of each file, however many pads of the index name it', async () => {
    const files = { text: 'a/One.txt', markdown: 'a/One.txt' };
    const pads = Array.from({ length: 500 }, (_, at) => ({ name: `Pad ${at}`, files }));
    const folders = [{ name: 'a', pads }];
    const zip = await zipOf({ ...exported({ folders }), 'a/One.txt': 'One' });
    const plan = await preview(zip);
    expect(namesIn(plan)).to.deep.equal({ a: ['Pad 0'] });
    expect(plan.skippedCount).to.equal(499);
  });

  it('cuts names that are too long, and keeps that of the file', async () => {
    const folder = 'A folder with a really long name that nobody wants to read';
    const zip = await zipOf({
      [`${folder}/Homework of Monday.txt`]: 'x',
      [`${folder}/${'\u{1f600}'.repeat(30)}.txt`]: 'y',
    });
    const plan = await preview(zip, { group: (await buildShared())._id });
    const names = plan.folders.flatMap(({ pads }) => pads.map(({ name }) => name));
    expect(names[0]).to.match(/^A folder.*\u2026 \/ Homework of Monday$/);
    for (const name of names) {
      expect(name.length).to.be.at.most(40);
      expect(encodeURIComponent(name)).to.be.a('string');
    }
  });

  it('is tried again when the database does not answer for a moment, and finds no fault in the files', async () => {
    const { app } = people;
    await app.inject({ fault: 'fail', why: 'down', calls: ['set'], keys: 'pad:' });
    const { body } = await sendZip(
      app,
      alice.token,
      await zipOf({ 'a/One.etherpad': etherpadFile('kept') }),
    ).expect(200);
    const progress = async (): Promise<ImportProgress> =>
      (await asAlice('get', `imports/${body.key}`).expect(200)).body;
    const failures = async (): Promise<number> => {
      const jobs = readJobs(await app.ports.database.get(keys.jobs));
      return jobs[`padImport:${body.key}`]?.attempts ?? 0;
    };
    try {
      await until(
        'it has failed',
        async () => (await failures()) > 0 || (await progress()).state !== 'running',
      );
      expect((await progress()).failed).to.deep.equal([]);
    } finally {
      await app.inject({ fault: 'none' });
    }
    app.ports.advance(61_000);
    if (!overNetwork) await app.model.jobs.runNow(`padImport:${body.key}`);
    await until('it has been tried again', async () => {
      await app.idle();
      return (await progress()).state !== 'running';
    });
    const done = await progress();
    expect([done.state, done.failed, done.pads.length]).to.deep.equal(['done', [], 1]);
    expect(await textOf(done.pads[0]?._id ?? '')).to.contain('kept');
    expect((await groupRecord(done.groups[0]?._id ?? ''))?.pads).to.have.length(1);
  });

  inProcessOnly.it(
    'makes the other pads, when the database refuses what is in one file each time',
    async () => {
      const { app } = people;
      const { pads } = app.ports;
      const { import: makePad } = pads;
      pads.import = async (id, source, own) => {
        if (source.format === 'text' && source.text.includes('refused'))
          throw new Error('the database refuses it');
        return makePad(id, source, own);
      };
      try {
        const zip = await zipOf({ 'a/1.txt': 'One', 'a/2.txt': 'refused', 'a/3.txt': 'Three' });
        const { key } = (await sendZip(app, alice.token, zip).expect(200)).body;
        const progress = async (): Promise<ImportProgress> => (await asAlice('get', `imports/${key}`)).body;
        const job = `padImport:${key}`;
        for (let attempt = 1; attempt < 5; attempt += 1) {
          await app.idle();
          expect((await progress()).state).to.equal('running');
          await app.model.jobs.runNow(job);
        }
        await app.idle();
        const { state, failed, pads: made } = await progress();
        expect([state, failed]).to.deep.equal(['done', [{ path: 'a/2.txt', fault: 'invalid' }]]);
        expect(made.map(({ name }) => name)).to.deep.equal(['1', '3']);
      } finally {
        pads.import = makePad;
      }
    },
  );

  inProcessOnly.it(
    'is found by its text, although the text was not there when it was looked for',
    async () => {
      const { app } = people;
      const { pads } = app.ports;
      const { import: makePad } = pads;
      pads.import = async (...input) => {
        app.ports.advance(120_000);
        await app.model.textIndex.update();
        return makePad(...input);
      };
      try {
        const { pads: made } = await importAll(await zipOf({ 'a/One.txt': 'unusualword' }));
        app.ports.advance(120_000);
        await app.model.textIndex.update();
        const { body } = await asAlice('get', 'search?text=unusualword').expect(200);
        expect(body.value.map(({ pad }: { pad: { _id: string } }) => pad._id)).to.deep.equal(
          made.map(({ _id }) => _id),
        );
      } finally {
        pads.import = makePad;
      }
    },
  );

  inProcessOnly.it('says that the server failed, in the log too, if the file cannot be stored', async () => {
    const { padImports } = people.app.model;
    const { newFile } = padImports;
    padImports.newFile = async () => join(tmpdir(), 'mypads-no-such-folder', 'import.zip');
    try {
      const answer = await sendZip(people.app, alice.token, await zipOf(notes));
      expect(errorOf(answer)).to.deep.equal([500, 'SERVER.UNEXPECTED']);
    } finally {
      padImports.newFile = newFile;
    }
    const line = (await people.app.lines()).find(({ message }) => message === 'call failed');
    expect(line?.facts.error).to.match(/ENOENT/);
  });

  inProcessOnly.it('are received again in a folder that somebody has deleted', async () => {
    const zip = await zipOf(notes);
    await preview(zip);
    for (const folder of people.app.ports.uploadFolders) await rm(folder, { recursive: true });
    expect(namesIn(await preview(zip))).to.include.keys('School');
  });

  const link = 0o120_777 * 0x10000;
  const bomb = deflateRawSync(Buffer.alloc(15_000_000));
  const hostile: Record<string, [() => Buffer | Promise<Buffer>, string, number?]> = {
    'no ZIP': [() => Buffer.from('PK, but not really'), 'IMPORT.NOT_ZIP'],
    'an empty file': [() => Buffer.alloc(0), 'IMPORT.NOT_ZIP'],
    'half a ZIP': [async () => (await zipOf({ 'a.txt': 'a' })).subarray(0, 40), 'IMPORT.NOT_ZIP'],
    'a path out of the ZIP': [() => rawZip([{ name: '../../etc/x.txt' }]), 'IMPORT.UNSAFE'],
    'a path out of it in the middle': [() => rawZip([{ name: 'a/../../x.txt' }]), 'IMPORT.UNSAFE'],
    'an absolute path': [() => rawZip([{ name: '/etc/x.txt' }]), 'IMPORT.UNSAFE'],
    'a path of Windows': [() => rawZip([{ name: 'C:\\x.txt' }]), 'IMPORT.UNSAFE'],
    'a drive': [() => rawZip([{ name: 'c:x.txt' }]), 'IMPORT.UNSAFE'],
    'a line end in a name': [() => rawZip([{ name: 'a\nb.txt' }]), 'IMPORT.UNSAFE'],
    'a NUL in a name': [() => rawZip([{ name: 'a\0.txt' }]), 'IMPORT.UNSAFE'],
    'an empty name': [() => rawZip([{ name: '' }]), 'IMPORT.UNSAFE'],
    'a name that is too long': [() => rawZip([{ name: `${'a'.repeat(2_000)}.txt` }]), 'IMPORT.UNSAFE'],
    'a name that is not UTF-8': [
      () => rawZip([{ name: Buffer.from('Gr\u00fc\u00dfe.txt', 'latin1') }]),
      'IMPORT.UNSAFE',
    ],
    'the same name twice': [() => rawZip([{ name: 'a.txt' }, { name: 'a.txt' }]), 'IMPORT.UNSAFE'],
    'the same name in capitals': [() => rawZip([{ name: 'a.txt' }, { name: 'A.TXT' }]), 'IMPORT.UNSAFE'],
    'a symbolic link': [
      () => rawZip([{ name: 'a.txt', content: '/etc/passwd', attributes: link }]),
      'IMPORT.UNSAFE',
    ],
    'a file with a password': [() => rawZip([{ name: 'a.txt', flags: 0x801 }]), 'IMPORT.ENCRYPTED'],
    'a wrong checksum': [() => rawZip([{ name: 'a.txt', content: 'a', checksum: 1 }]), 'IMPORT.NOT_ZIP'],
    'a size that is too small': [
      () => rawZip([{ name: 'a.txt', content: 'aaaa', size: 1 }]),
      'IMPORT.NOT_ZIP',
    ],
    'a size that is too large': [() => rawZip([{ name: 'a.txt', content: 'a', size: 9 }]), 'IMPORT.NOT_ZIP'],
    'bytes that cannot be unpacked': [
      () => rawZip([{ name: 'a.txt', packed: Buffer.from('nothing'), size: 3 }]),
      'IMPORT.NOT_ZIP',
    ],
    'fewer entries than it says': [() => rawZip([{ name: 'a.txt' }], { count: 3 }), 'IMPORT.NOT_ZIP'],
    'a bomb': [() => rawZip([{ name: 'a.txt', packed: bomb, size: 15_000_000 }]), 'IMPORT.TOO_LARGE', 413],
    'a bomb that says that it is small': [
      () => rawZip([{ name: 'a.txt', packed: bomb, size: 10 }]),
      'IMPORT.NOT_ZIP',
    ],
    'one file under many names': [
      () => {
        const noise = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => ((at * at * 7919) % 90) + 32));
        const first: RawEntry = { name: '0.txt', content: noise };
        const others = Array.from({ length: 80 }, (_, at) => ({
          ...first,
          name: `${at + 1}.txt`,
          sameAs: 0,
        }));
        return rawZip([first, ...others]);
      },
      'IMPORT.TOO_LARGE',
      413,
    ],
    'too many entries': [
      () => rawZip(Array.from({ length: zipLimits.entries + 1 }, (_, at) => ({ name: `${at}.jpg` }))),
      'IMPORT.TOO_LARGE',
      413,
    ],
    'too many pads': [
      () => rawZip(Array.from({ length: zipLimits.pads + 1 }, (_, at) => ({ name: `${at}.txt` }))),
      'IMPORT.TOO_LARGE',
      413,
    ],
    'too many folders': [
      () => rawZip(Array.from({ length: zipLimits.folders + 1 }, (_, at) => ({ name: `${at}/a.txt` }))),
      'IMPORT.TOO_LARGE',
      413,
    ],
    'more bytes than an upload may have': [() => Buffer.alloc(zipLimits.upload + 1), 'IMPORT.TOO_LARGE', 413],
    'no file that can become a pad': [() => zipOf({ 'a.jpg': 'x' }), 'IMPORT.NOTHING'],
    'an export of a later version': [() => zipOf(exported({ version: 2 })), 'IMPORT.INDEX'],
    'an index with more pads than an export has': [
      () => {
        const pads = Array.from({ length: 51 }, () => ({ name: 'x', files: {} }));
        return zipOf(exported({ folders: Array.from({ length: 100 }, () => ({ name: 'a', pads })) }));
      },
      'IMPORT.TOO_LARGE',
      413,
    ],
    'an index that takes long to check': [
      () => zipOf(exported({ leftOut: Array.from({ length: zipLimits.index / 5 }, () => Math.random()) })),
      'IMPORT.TOO_LARGE',
      413,
    ],
    'an export with a wrong index': [() => zipOf(exported({ folders: [{ name: 1 }] })), 'IMPORT.INDEX'],
  };

  for (const [what, [make, error, status = 400]] of Object.entries(hostile)) {
    // Over the network the test's client fails when it is answered while it sends.
    const run = what.startsWith('more bytes') ? inProcessOnly : { it };
    run.it(`refuses ${what}, and makes nothing`, async () => {
      const before = await snapshot(people.app);
      expect(errorOf(await sendZip(people.app, alice.token, await make()))).to.deep.equal([status, error]);
      expect(await snapshot(people.app)).to.deep.equal(before);
    });
  }

  it('refuses a body that is no ZIP by its content type', async () => {
    const call = asAlice('post', 'imports', { name: 'x' });
    expect(errorOf(await call)).to.deep.equal([400, 'IMPORT.NOT_ZIP']);
  });

  it('makes what a person may make, and nothing else', async () => {
    const zip = await zipOf({ 'a/One.txt': 'One' });
    const own = await buildShared({ readers: [carol.id] });
    const open = await buildShared({ allowUsersToCreatePads: true, readers: [carol.id] });
    const archived = await buildShared({ archived: true, readonly: true });
    const trashed = await buildShared();
    await asAlice('delete', `group/${trashed._id}`).expect(200);
    const root = await signInAsAdmin(people.app);
    const reading = await buildApiToken(people.app, alice, { scopes: ['read'] });
    const writing = await buildApiToken(people.app, alice, { scopes: ['write'] });
    const cases: Record<string, [string | undefined, string | undefined, unknown[]]> = {
      'a manager, into their folder': [alice.token, own._id, [200, undefined]],
      'a manager, into an archived and read-only folder': [alice.token, archived._id, [200, undefined]],
      'a person, new folders': [carol.token, undefined, [200, undefined]],
      'a writer, where writers create pads': [bob.token, open._id, [200, undefined]],
      'a writer, elsewhere': [bob.token, own._id, [401, 'AUTHENTICATION.DENIED']],
      'a reader': [carol.token, open._id, [401, 'AUTHENTICATION.DENIED']],
      'into a folder that does not exist': [alice.token, 'unknown', [400, 'PAD.ITEMS_NOT_FOUND']],
      'into a folder in the trash': [alice.token, trashed._id, [400, 'PAD.ITEMS_NOT_FOUND']],
      'a server administrator': [root, own._id, [401, 'AUTHENTICATION.NOT_AUTH']],
      'a guest': [undefined, own._id, [401, 'AUTHENTICATION.NOT_AUTH']],
      'an API token to write': [writing, own._id, [200, undefined]],
      'an API token to read': [reading, own._id, [403, 'API_TOKEN.SCOPE']],
    };
    await checkEach(cases, async ([token, group, expected]) => {
      const query: Record<string, string> = group === undefined ? {} : { group };
      for (const only of [{ preview: 'true' }, {}] as Record<string, string>[]) {
        const answer = await sendZip(people.app, token, zip, { ...query, ...only });
        expect(errorOf(answer)).to.deep.equal(expected);
        await people.app.idle();
      }
    });
  });

  it('lets nobody see or end the import of somebody else', async () => {
    const { key } = await importAll(await zipOf({ 'a/One.txt': 'One' }));
    for (const method of ['get', 'delete'] as const) {
      await asBob(method, `imports/${key}`).expect(404);
      await asAlice(method, `imports/unknown`).expect(404);
    }
    await asAlice('delete', `imports/${key}`).expect(200, { success: true, key });
    const { body } = await asAlice('get', `imports/${key}`).expect(200);
    expect(body.state, 'a finished import stays finished').to.equal('done');
  });

  it('makes templates only where the person manages the folder', async () => {
    const open = await buildGroup(people.app, bob, { users: [alice.id], allowUsersToCreatePads: true });
    const done = await importAll(await zipOf(exported()), { group: open._id });
    expect(done.state).to.equal('done');
    const pads = await people.app.model.pads.findMany(done.pads.map(({ _id }) => _id));
    expect([...pads.values()].some(({ template }) => template)).to.equal(false);
    expect(done.pads.map(({ name }) => name)).to.include('Class 5a / Trip');
  });

  inProcessOnly.it('is told as made by the person, also what is made after the answer', async () => {
    const heard: DomainEvent[] = [];
    const stop = people.app.model.events.onOwn((event) => void heard.push(event));
    await importAll(await zipOf({ 'a/One.txt': 'One' }));
    stop();
    const made = heard.flatMap((event) => ('what' in event && event.what === 'created' ? [event] : []));
    expect(made.map(({ about, by }) => [about, by])).to.deep.equal([
      ['group', { kind: 'account', id: alice.id }],
      ['pad', { kind: 'account', id: alice.id }],
    ]);
  });

  it('does not begin twice, ends when it is told to, and makes no more pads then', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`a/Pad ${at}.txt`, `Text ${at}`]),
    );
    const zip = await zipOf(files);
    await people.app.inject({ fault: 'delay' });
    const { body } = await sendZip(people.app, alice.token, zip).expect(200);
    expect(errorOf(await sendZip(people.app, alice.token, zip))).to.deep.equal([409, 'IMPORT.RUNNING']);
    await asAlice('delete', `imports/${body.key}`).expect(200);
    await people.app.inject({ fault: 'none' });
    await people.app.idle();
    const { body: ended } = await asAlice('get', `imports/${body.key}`).expect(200);
    expect(ended.state).to.equal('cancelled');
    const group = await groupRecord(ended.groups[0]?._id ?? '');
    expect(group?.pads ?? []).to.have.length(ended.pads.length);
    await importAll(await zipOf({ 'b/One.txt': 'One' }));
  });

  // The clock of a real server cannot be moved.
  inProcessOnly.it('ends when it is told to, also after the clock was put back', async () => {
    const dora = await buildUser(people.app);
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`Pad ${at}.txt`, `Text ${at}`]));
    await people.app.inject({ fault: 'delay' });
    const { body } = await sendZip(people.app, dora.token, await zipOf(files)).expect(200);
    const call = callerOf(people.app, dora.token);
    const importOf = async (): Promise<ImportProgress> => (await call('get', `imports/${body.key}`)).body;
    await until('the first pads are stored', async () => (await importOf()).done > 0);
    people.app.ports.advance(-3600_000);
    await call('delete', `imports/${body.key}`).expect(200);
    await people.app.idle();
    people.app.ports.advance(3600_000);
    await people.app.inject({ fault: 'none' });
    const [group] = await groupsOf(dora);
    expect((await groupRecord(group ?? ''))?.pads).to.have.length.below(200);
  });

  it('ends when the person loses the right', async () => {
    const group = await buildShared({ allowUsersToCreatePads: true });
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`Pad ${at}.txt`, `Text ${at}`]));
    const { body } = await sendZip(people.app, bob.token, await zipOf(files), { group: group._id }).expect(
      200,
    );
    await asAlice('delete', `group/${group._id}/members/${bob.login}`).expect(200);
    await people.app.inject({ fault: 'none' });
    await people.app.idle();
    const { body: ended } = await asBob('get', `imports/${body.key}`).expect(200);
    expect(ended.state).to.equal('denied');
    expect((await groupRecord(group._id))?.pads).to.have.length(ended.pads.length);
  });

  it('ends when the account of the person is closed', async () => {
    const dora = await buildUser(people.app);
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`Pad ${at}.txt`, `Text ${at}`]));
    await people.app.inject({ fault: 'delay' });
    const { body } = await sendZip(people.app, dora.token, await zipOf(files)).expect(200);
    await until('the folder is made', async () => (await groupsOf(dora)).length > 0);
    await asRoot('put', `user/${dora.login}`, { active: false }).expect(200);
    await people.app.inject({ fault: 'none' });
    await people.app.idle();
    await asRoot('put', `user/${dora.login}`, { active: true }).expect(200);
    const { token } = await signIn(people.app, dora.login, dora.password);
    const { body: ended } = await callerOf(people.app, token)('get', `imports/${body.key}`).expect(200);
    expect(ended.state).to.equal('denied');
    expect(ended.pads.length).to.be.below(200);
  });

  inProcessOnly.it(
    'leaves the pads of a folder that went to the trash before the next attempt, so that it comes back whole',
    async () => {
      const group = await buildGroup(people.app, alice);
      const zip = await zipOf({ '1.txt': 'One', '2.txt': 'Two', '3.txt': 'Three' });
      await people.app.inject({ fault: 'fail', why: 'full', calls: ['set'], keys: 'mypads:pad:3' });
      await sendZip(people.app, alice.token, zip, { group: group._id }).expect(200);
      const pads = async () => (await groupRecord(group._id))?.pads ?? [];
      await until('two are made', async () => (await pads()).length === 2);
      await people.app.idle();
      await people.app.inject({ fault: 'none' });
      await asAlice('delete', `group/${group._id}`).expect(200);
      const { jobs } = people.app.model;
      for (const { id, type } of await jobs.list()) if (type === 'padImport') await jobs.runNow(id);
      await people.app.idle();
      await asAlice('post', `trash/${group._id}/restore`, {}).expect(200);
      expect(await pads()).to.have.length(2);
      for (const pad of await pads()) expect((await asAlice('get', `pad/${pad}`)).status, pad).to.equal(200);
    },
  );

  it('is forgotten with the account', async () => {
    const person = await buildUser(people.app);
    await sendZip(people.app, person.token, await zipOf({ 'a/One.txt': 'One' })).expect(200);
    await people.app.idle();
    const key = `mypads:padimport:${person.id}`;
    expect(await people.app.ports.database.get(key)).to.be.an('object');
    const root = await signInAsAdmin(people.app);
    await callerOf(people.app, root)('delete', `user/${person.login}`, {}).expect(200);
    await people.app.idle();
    await until('the record is gone', async () => !(await people.app.ports.database.get(key)));
  });
});
