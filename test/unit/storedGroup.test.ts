/** Names in records, and what rules give people in the record of a group. */
import { expect } from 'chai';
import type { GroupRecord } from '../../model/store/entities';
import { readGroup, readPad, storedGroup } from '../../model/store/records';

const people = (count: number): string[] => Array.from({ length: count }, (_, index) => `p${index}`);

function groupOf(fields: Partial<Record<keyof GroupRecord, unknown>>): GroupRecord {
  const group = readGroup('g', { name: 'Everybody', admins: ['boss'], ...fields });
  if (group === undefined) throw new Error('no group');
  return group;
}

describe('the stored record of a group with rules', () => {
  const users = people(1_000);
  const byPerson = Object.fromEntries(users.map((id) => [id, { rules: { r1: 'users' } }]));

  it('has people to whom rules give the same in one list, and is read as it was', () => {
    const others = { p1: { rules: { r1: 'users' }, own: 'admins' }, boss: { rules: { r2: 'readers' } } };
    const group = groupOf({ users, byRule: { ...byPerson, ...others } });
    const stored = JSON.parse(JSON.stringify(storedGroup(group)));
    expect(stored.byRule.map((grant: { people: string[] }) => grant.people.length)).to.deep.equal([
      999, 1, 1,
    ]);
    expect(readGroup('g', stored)).to.deep.equal(group);
  });

  it('is smaller by more than half than by person, as the first versions wrote it', () => {
    const group = groupOf({ users, byRule: byPerson });
    const byPersonToo = JSON.stringify({ ...group, byRule: byPerson });
    expect(JSON.stringify(storedGroup(group)).length).to.be.below(byPersonToo.length / 2);
  });

  it('has nothing about rules when they give nothing', () => {
    expect(storedGroup({ ...groupOf({ users }), byRule: new Map() })).not.to.have.property('byRule');
  });

  it('is read without what is damaged, and without people who are on no list', () => {
    const byRule = [
      null,
      'text',
      { people: ['p1'] },
      { rules: { r1: 'kings' }, people: ['p1'] },
      { rules: { r1: 'users' } },
      { rules: { r1: 'users' }, people: ['p2', 7, 'stranger', '__proto__'] },
    ];
    expect([...(groupOf({ users, byRule }).byRule ?? [])]).to.deep.equal([
      ['p2', { rules: { r1: 'users' } }],
    ]);
  });
});

describe('the name in a stored record', () => {
  it('is the id if nothing of it can be seen, so that lists have something to click', () => {
    for (const name of [' ', '\t\n', '', null, undefined, 7]) {
      expect(readGroup('choir-1', { name })?.name).to.equal('choir-1');
      expect(readPad('songs-1', { name, group: 'choir-1' })?.name).to.equal('songs-1');
    }
  });

  it('is otherwise shown as it is', () => {
    expect(readGroup('choir-1', { name: ' Choir ' })?.name).to.equal(' Choir ');
    expect(readPad('songs-1', { name: '\u3042', group: 'choir-1' })?.name).to.equal('\u3042');
  });
});
