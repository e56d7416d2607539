import { expect } from 'chai';
import type { Person } from '../../api/answers';
import { entriesIn, findPerson } from '../../static/app/screens/people/entries';
import {
  assignmentOf,
  changesOf,
  type NextRole,
  type Role,
  takeEntries,
} from '../../static/app/screens/sharing/changes';

const people: Person[] = [
  { _id: 'a', login: 'ann', color: '', email: 'Ann@Example.org' },
  { _id: 'b', login: 'bob', color: '' },
  { _id: 'B', login: 'Bob', color: '' },
  { _id: 'c', login: 'carol', color: '' },
  { _id: 'd', login: 'dave', color: '' },
  { _id: 'e', login: 'eve', color: '' },
];
const group = { admins: ['a', 'b'], users: ['c'], readers: ['e'] };
const inside = Object.fromEntries(
  people.filter(({ _id }) => 'abce'.includes(_id)).map((one) => [one._id, one]),
);
const nothing = {
  added: [],
  asked: [],
  toAdmins: [],
  toUsers: [],
  toReaders: [],
  removed: [],
  noAdmin: false,
  self: null,
};

function plan(roles: Record<string, NextRole>, entries: string[] = [], as: Role = 'users') {
  return { roles, entries, as };
}

function changes(...[roles, entries, as]: Parameters<typeof plan>) {
  return changesOf(group, plan(roles, entries, as), people, (person: Person) => person.login, 'a');
}

describe('typed lists of people', () => {
  it('finds people by login or address whatever the case, the exact login first', () => {
    expect(findPerson(people, 'Bob')?._id).to.equal('B');
    expect(findPerson(people, 'CAROL')?._id).to.equal('c');
    expect(findPerson(people, 'ann@example.ORG')?._id).to.equal('a');
    expect(findPerson(people, 'nobody')).to.equal(undefined);
  });

  it('reads addresses as mail programs copy them, and logins; each person is there once, by login if known', () => {
    const pasted = 'Ann <ann@example.org>; "Doe, Jane" <jane@example.org>\nBob, ann, jane@example.org';
    expect(entriesIn(pasted, people)).to.deep.equal(['ann', 'jane@example.org', 'Bob']);
    expect(entriesIn('carol dave nobody', people)).to.deep.equal(['carol', 'dave', 'nobody']);
    const spaced: Person = { _id: 's', login: 'o’neill & söhne', color: '' };
    expect(entriesIn('o’neill & söhne', [spaced])).to.deep.equal([spaced.login]);
    expect(entriesIn('  ', people)).to.deep.equal([]);
  });

  it('finds the people of a list by its name, alone or between others, also with a comma in it', () => {
    const lists = [
      { name: 'Group A', entries: ['carol', 'Bob'] },
      { name: 'Smith, class', entries: ['ann'] },
    ];
    for (const [text, expected] of [
      ['group a', ['carol', 'Bob']],
      ['Group A, person@x.org', ['carol', 'Bob', 'person@x.org']],
      ['ann; Group A;nobody', ['carol', 'Bob', 'ann', 'nobody']],
      ['Group A,', ['carol', 'Bob']],
      ['Smith, class', ['ann']],
      ['Group B, ann', ['Group', 'B', 'ann']],
    ] as const)
      expect(entriesIn(text, people, lists), text).to.have.members(expected);
  });

  it('finds names whose accents are characters of their own', () => {
    const person: Person = { _id: 'r', login: 'René', color: '' };
    expect(findPerson([person], 'rene\u0301')?._id).to.equal('r');
    expect(findPerson([{ ...person, login: 'Rene\u0301' }], 'rené')?._id).to.equal('r');
    expect(findPerson([person], 'rene')).to.equal(undefined);
  });
});

describe('what saving the share dialog changes', () => {
  it('is empty while everybody keeps their role', () => {
    expect(changes({})).to.deep.equal(nothing);
    expect(changes({ b: 'admins', c: 'users', e: 'readers' })).to.deep.equal(nothing);
  });

  it('lists who is added, and names that only the server can look up', () => {
    const added = { ...nothing, added: ['dave'], asked: ['x@y.org'] };
    expect(changes({}, ['dave', 'x@y.org'])).to.deep.equal(added);
  });

  it('lists who changes roles and who loses access', () => {
    const roles = { b: 'users', c: 'admins', gone: 'removed' } as const;
    expect(changes(roles)).to.deep.equal({ ...nothing, toAdmins: ['carol'], toUsers: ['bob'] });
    expect(changes({ b: 'removed' })).to.deep.equal({ ...nothing, removed: ['bob'] });
    const reading = { b: 'readers', e: 'users' } as const;
    expect(changes(reading)).to.deep.equal({ ...nothing, toReaders: ['bob'], toUsers: ['eve'] });
  });

  it('says when no administrator would be left', () => {
    for (const [roles, entries, as, expected] of [
      [{ a: 'users', b: 'removed' }, [], 'users', true],
      [{ a: 'users', b: 'removed' }, ['x@y.org'], 'users', true],
      [{ a: 'users', b: 'removed' }, ['x@y.org'], 'admins', false],
      [{ a: 'users', b: 'removed', c: 'admins' }, [], 'users', false],
      [{ c: 'removed' }, [], 'users', false],
    ] as const) {
      expect(changes(roles, [...entries], as).noAdmin, JSON.stringify([roles, entries, as])).to.equal(
        expected,
      );
    }
  });

  it('says what administrators change for themselves', () => {
    expect(changes({ a: 'removed' }).self).to.equal('removed');
    expect(changes({ a: 'users' }).self).to.equal('demoted');
    expect(changes({ a: 'readers' }).self).to.equal('reading');
    expect(changes({ b: 'removed' }).self).to.equal(null);
  });

  it('is sent as logins and addresses by role, without unchanged people', () => {
    const next = plan({ a: 'admins', b: 'users', c: 'removed' }, ['dave', 'x@y.org'], 'admins');
    expect(assignmentOf(group, next, inside)).to.deep.equal({
      admins: ['dave', 'x@y.org'],
      users: ['bob'],
      readers: [],
      removed: ['carol'],
    });
    const reading = assignmentOf(group, plan({ c: 'readers' }, ['dave'], 'readers'), inside);
    expect(reading.readers).to.deep.equal(['carol', 'dave']);
  });

  it('never lowers a role: members who are added again stay, or become administrators', () => {
    const typed = ['ann@example.org', 'carol', 'eve', 'dave'];
    expect(takeEntries(group, plan({ c: 'removed' }, typed), inside)).to.deep.include({
      entries: ['dave'],
      roles: { e: 'users' },
      inside: [inside.a, inside.c, inside.e],
    });
    expect(takeEntries(group, plan({}, typed, 'admins'), inside).roles).to.deep.equal({
      c: 'admins',
      e: 'admins',
    });
    expect(takeEntries(group, plan({}, typed, 'readers'), inside).roles).to.deep.equal({});
  });
});
