/** Large JSON of an imported file is parsed in slices, so that nobody has to wait for it. */
import { expect } from 'chai';
import fc from 'fast-check';
import { readEtherpadFile } from '../../host/etherpadFile';
import { jsonPieces, type PieceBounds } from '../../model/jsonPieces';
import { readExportIndex } from '../../model/padImport/exportIndex';
import { planImport } from '../../model/padImport/plan';
import type { Zip } from '../../model/padImport/zip';

/** What `JSON.parse` makes of it, piece by piece. */
function joined(json: string): unknown {
  const pieces = [...jsonPieces(json)].map((piece) => [piece.name, JSON.parse(piece.json)] as const);
  return json.trimStart().startsWith('[') ? pieces.map(([, value]) => value) : Object.fromEntries(pieces);
}

/** The length of the longest text that `work` gives to `JSON.parse`. */
async function longestParsed(work: () => Promise<unknown>): Promise<number> {
  const { parse } = JSON;
  let longest = 0;
  JSON.parse = (text, ...more) => {
    longest = Math.max(longest, text.length);
    return parse(text, ...more);
  };
  try {
    await work();
  } finally {
    JSON.parse = parse;
  }
  return longest;
}

describe('JSON in pieces', () => {
  it('has the values of the whole', () => {
    const spaces = fc.constantFrom(undefined, 1, '\t');
    const outer = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
    fc.assert(
      fc.property(outer, spaces, (value, space) => {
        const json = JSON.stringify(value, null, space);
        expect(joined(json)).to.deep.equal(JSON.parse(json));
      }),
    );
    const tricky = ' {"a\\\\":"\\"]\\\\","b":[",}"],"__proto__":{"c":1},"b":{"":[]}} ';
    expect(joined(tricky)).to.deep.equal(JSON.parse(tricky));
  });

  it('is refused where the whole would be', () => {
    for (const json of [
      '',
      '1',
      '"[]"',
      '[',
      '{',
      '[1',
      '[1]]',
      '{"a":1',
      '{"a"}',
      '{a:1}',
      '[,]',
      '[1,]',
      '{} x',
      '["',
      '[1}',
    ])
      expect(() => joined(json), json).to.throw(SyntaxError);
  });

  it('has no values beyond the bounds', () => {
    const bounds: PieceBounds = { marks: 4, depth: 2 };
    const fits = (json: string): boolean => {
      try {
        return [...jsonPieces(json, bounds)].length > 0;
      } catch {
        return false;
      }
    };
    expect(['[[[]],[[]]]', '["[[[[", [1,2,3,4]]', `["${'x'.repeat(99)}"]`].map(fits)).to.deep.equal([
      true,
      true,
      true,
    ]);
    expect(['[[[[]]]]', '[[1,2,3,4,5]]'].map(fits)).to.deep.equal([false, false]);
  });
});

describe('a large file', () => {
  const brackets = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const ofNobody = { own: [], known: async () => [] };

  it('in Etherpad’s own format is parsed one record after the other, and no deep one', async () => {
    const revisions = Array.from(
      { length: 1_000 },
      (_, number) => `"pad:x:revs:${number}":{"changeset":"Z:1>0$"}`,
    );
    for (const records of [
      revisions.join(','),
      `"pad:x":${brackets}`,
      `"pad:x":[${'{},'.repeat(300_000)}{}]`,
    ]) {
      const work = () => readEtherpadFile(`{${records}}`, ofNobody as never, log as never);
      expect(await longestParsed(work)).to.be.below(100);
      expect(await work()).to.have.property('refused');
    }
  });

  it('that is the index of an export is parsed one pad after the other, and no deep value', async () => {
    const of = (fields: string): Buffer => Buffer.from(`{"format":"ep_mypads","version":1,${fields}}`);
    const pad = '{"name":"a","files":{"text":"a.txt"}}';
    const people = Array.from({ length: 10_000 }, () => '{}').join(',');
    const folder = (fields: string): string => `"folders":[{"name":"f",${fields}}]`;
    const many = of(
      folder(`"pads":[${Array.from({ length: 1_000 }, () => pad).join(',')}],"people":[${people}]`),
    );
    const found = await readExportIndex(many);
    expect(found?.map(({ pads, people: count }) => [pads.length, count])).to.deep.equal([[1_000, 10_000]]);
    expect(await longestParsed(() => readExportIndex(many))).to.be.below(100);
    for (const fields of [
      folder(`"pads":${brackets}`),
      folder(`"pads":[],"tags":${brackets}`),
      `"folders":${brackets}`,
    ]) {
      const refused = () => readExportIndex(of(fields)).catch((error) => error.key);
      expect(await refused()).to.equal('BACKEND.ERROR.IMPORT.INDEX');
      expect(await longestParsed(refused)).to.be.below(100);
    }
    const elsewhere = of(`"later":${brackets},"folders":[]`);
    expect(await longestParsed(() => readExportIndex(elsewhere))).to.be.below(100);
    expect(await readExportIndex(elsewhere)).to.deep.equal([]);
  });

  it('has names that are cut before their normal form is made', async () => {
    const accents = `a${'\u0301\u0316'.repeat(499)}`;
    const pads = Array.from({ length: 500 }, () => ({ name: accents, files: { text: 'a.txt' } }));
    const folders = [{ name: accents, tags: [accents], pads }];
    const index = Buffer.from(JSON.stringify({ format: 'ep_mypads', version: 1, folders }));
    const zip = { entries: [{ path: 'index.json' }], read: async () => index } as unknown as Zip;
    const normalize = String.prototype.normalize;
    let longest = 0;
    String.prototype.normalize = function (form) {
      longest = Math.max(longest, this.length);
      return normalize.call(this, form);
    };
    try {
      await planImport(zip, { folderNames: true, name: 'x' }, []);
    } finally {
      String.prototype.normalize = normalize;
    }
    expect(longest).to.be.within(1, 200);
  });
});
