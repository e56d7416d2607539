/** A search over the packed accounts finds the same as a simple comparison with every account. */
import { expect } from 'chai';
import fc from 'fast-check';
import { AccountNumbers } from '../../model/accounts/accountNumbers';
import { AccountOrder } from '../../model/accounts/accountOrder';
import { AccountSearch, type Page } from '../../model/accounts/accountSearch';
import { type AccountFacts, AccountTable } from '../../model/accounts/accountTable';
import { plainText } from '../../model/ids';
import type { UserRecord } from '../../model/store/entities';
import { readUser } from '../../model/store/records';
import { sliceUsed } from '../../model/store/timeSlice';

interface Person {
  id: number;
  login: string;
  email: string;
  firstname: string;
  lastname: string;
  active: boolean;
}

const people = 1_200;
const short = fc.constantFrom('ab', 'Anna', 'Zoë', 'Łukasz', 'b@a', '', 'x.y', 'жук', 'İz', 'person');
const email = fc.constantFrom(
  '',
  'a@b@school.org',
  'A.b@School.org',
  'no sign',
  'x@',
  '@y',
  'zoë@schöl.org',
  'b@a.b',
);
const person: fc.Arbitrary<Person> = fc.record({
  id: fc.nat(people - 1),
  login: fc.tuple(short, fc.nat(99)).map(([text, number]) => `${text}${number}`),
  email: fc.oneof(
    email,
    fc.tuple(short, fc.nat(9_000)).map(([text, number]) => `${text}@d${number}.example`),
  ),
  firstname: short,
  lastname: short,
  active: fc.boolean(),
});
const searched = fc.constantFrom(
  ...[
    '',
    'a',
    'b',
    '@',
    'ab',
    'b@',
    '@s',
    'school',
    'b@school.o',
    'l.org',
    'zoe',
    'na an',
    'd1',
    '@d12',
    'жу',
    'z',
  ],
  ...['.', 'n4', 'example', 'xyz', 'hol', 'ukasz', '1.e'],
);

function recordOf({ id, ...fields }: Person): UserRecord {
  const user = readUser(`id-${id}`, { _id: `id-${id}`, ctime: id, ...fields });
  if (user === undefined) throw new Error('not an account');
  return user;
}

/** A table with its order and searches, and the same accounts as records. */
function buildDirectory() {
  const table = new AccountTable();
  const order = new AccountOrder(table);
  const searches = new AccountSearch(table, order);
  const records = new Map<string, UserRecord>();
  return {
    table,
    put(user: UserRecord): void {
      records.set(user._id, user);
      table.put(user);
      order.loginChanged(table.numberOf(user._id));
      searches.changed(table.numberOf(user._id));
    },
    remove(id: string): void {
      records.delete(id);
      const number = table.numberOf(id);
      if (!table.remove(id)) return;
      order.removed();
      searches.changed(number);
    },
    async search(text: string, facts: Partial<AccountFacts> = {}, page: Partial<Page> = {}) {
      await order.complete();
      return searches.search(plainText(text), facts, { offset: 0, limit: 2_000, ...page });
    },
    expected(text: string, facts: Partial<AccountFacts> = {}): string[] {
      const wanted = plainText(text);
      return [...records.values()]
        .filter(({ active }) => facts.active === undefined || active === facts.active)
        .filter(({ login, email, firstname, lastname }) =>
          [login, email, `${firstname} ${lastname}`].some((field) => plainText(field).includes(wanted)),
        )
        .map(({ _id }) => _id)
        .sort();
    },
  };
}

const idsOf = ({ entries }: { entries: { _id: string }[] }): string[] => entries.map(({ _id }) => _id);

describe('the search over packed accounts', () => {
  it('finds what a comparison with every account finds, also after changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(person, { minLength: 600, maxLength: people, size: 'max' }),
        fc.array(
          fc.tuple(searched, fc.constantFrom({}, { active: true }, { active: false }), person, fc.boolean()),
        ),
        async (first, steps) => {
          const directory = buildDirectory();
          for (const one of first) directory.put(recordOf(one));
          for (const [text, facts, change, isRemoval] of steps) {
            const found = await directory.search(text, facts);
            expect(idsOf(found).sort(), text).to.deep.equal(directory.expected(text, facts));
            expect(found.count).to.equal(found.entries.length);
            if (isRemoval) directory.remove(`id-${change.id}`);
            else directory.put(recordOf(change));
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  it('is correct when accounts change while it runs', async () => {
    const directory = buildDirectory();
    const account = (id: number, login: string): Person => ({
      ...{ id, login, email: `p${id}@school.org`, firstname: '', lastname: '', active: true },
    });
    for (let id = 0; id < 20_000; id += 1) directory.put(recordOf(account(id, `person${id}`)));
    await directory.search('nobody');
    // The rest of this turn's time for long work is used up, so each search stops after its first accounts.
    while (!sliceUsed());
    const searches = ['erson', 'son1', '7'].map((text) => directory.search(text));
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    for (let id = 0; id < 20_000; id += 300) directory.put(recordOf(account(id, `other${id}`)));
    for (let id = 1; id < 20_000; id += 300) directory.remove(`id-${id}`);
    for (let id = 20_000; id < 22_000; id += 1) directory.put(recordOf(account(id, `person${id}`)));
    await Promise.all(searches);
    for (const text of ['erson', 'son1', '7', 'other']) {
      const { count } = await directory.search(text, {}, { limit: 10 });
      expect(count, text).to.equal(directory.expected(text).length);
    }
  });

  it('keeps the order by login and age when accounts are added, removed and renamed', async () => {
    const directory = buildDirectory();
    const logins = ['b10', 'b9', 'a', 'c', 'b10', 'a'];
    const put = (id: number, login: string): void =>
      directory.put(recordOf({ id, login, email: '', firstname: '', lastname: '', active: true }));
    for (const [id, login] of logins.entries()) put(id, login);
    const found = await directory.search('');
    expect(idsOf(found)).to.deep.equal(['id-2', 'id-5', 'id-1', 'id-0', 'id-4', 'id-3']);
    expect(found.entries.map(({ second }) => second)).to.deep.equal([false, true, false, false, true, false]);
    directory.remove('id-2');
    put(3, 'a0');
    put(7, 'b');
    expect(idsOf(await directory.search(''))).to.deep.equal(['id-5', 'id-3', 'id-7', 'id-1', 'id-0', 'id-4']);
    expect(idsOf(await directory.search('b', {}, { offset: 1, limit: 2 }))).to.deep.equal(['id-1', 'id-0']);
  });

  it('sorts by login or age, in both directions', async () => {
    const directory = buildDirectory();
    const logins = ['b', 'd', 'a', 'c'];
    for (const [id, login] of logins.entries()) {
      const record = recordOf({ id, login, email: '', firstname: '', lastname: '', active: id !== 1 });
      directory.put({ ...record, ctime: 1_700_000_000_000 + ((id * 3) % 4) * 1_000 });
    }
    const ordered = async (page: Partial<Page>, facts = {}): Promise<string> =>
      idsOf(await directory.search('', facts, page))
        .map((id) => id.slice(3))
        .join('');
    expect(await ordered({})).to.equal('2031');
    expect(await ordered({ descending: true })).to.equal('1302');
    expect(await ordered({ sort: 'created' })).to.equal('0321');
    expect(await ordered({ sort: 'created', descending: true, offset: 1, limit: 2 })).to.equal('23');
    expect(await ordered({ sort: 'created' }, { active: true })).to.equal('032');
    const damaged = recordOf({ id: 7, login: 'e', email: '', firstname: '', lastname: '', active: true });
    for (const [ctime, expected] of [
      [Number.MAX_VALUE, '03217'],
      [-5, '70321'],
    ] as const) {
      directory.put({ ...damaged, ctime });
      expect(await ordered({ sort: 'created' })).to.equal(expected);
    }
  });

  it('finds numbers by hash among hundreds of thousands, also where hashes are equal', () => {
    const numbers = new AccountNumbers();
    const count = 300_000;
    const hashOf = (number: number): number => Math.imul(number >> 1, 0x9e3779b1) >>> 0;
    for (let number = 0; number < count; number += 1) numbers.add(number, hashOf(number));
    for (let number = 0; number < count; number += 7) numbers.remove(number);
    for (let number = 0; number < count; number += 1) {
      const found = numbers.find(hashOf(number), (other) => other === number);
      if (found !== (number % 7 === 0 ? -1 : number)) expect.fail(`${number} is found as ${found}`);
    }
  });
});
