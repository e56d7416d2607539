import { expect } from 'chai';
import type { Person } from '../../api/wire';
import { changesOf, findPerson, type Role } from '../../static/app/screens/people/roster';

const people: Person[] = [
  { _id: 'a', login: 'ann', color: '', email: 'Ann@Example.org' },
  { _id: 'b', login: 'bob', color: '' },
  { _id: 'B', login: 'Bob', color: '' },
  { _id: 'c', login: 'carol', color: '' },
  { _id: 'd', login: 'dave', color: '' },
];
const group = { admins: ['a', 'b'], users: ['c'] };
const nothing = { added: [], asked: [], removed: [], moved: [], noAdmin: false, self: null };

function changes(role: Role, entries: string[], self?: string) {
  return changesOf(group, role, entries, people, ({ login }) => login, self);
}

describe('the list of people, before it is saved', () => {
  it('finds somebody by login or address whatever the case, the exact login first', () => {
    expect(findPerson(people, 'Bob')?._id).to.equal('B');
    expect(findPerson(people, 'CAROL')?._id).to.equal('c');
    expect(findPerson(people, 'ann@example.ORG')?._id).to.equal('a');
    expect(findPerson(people, 'nobody')).to.equal(undefined);
  });

  it('changes nothing when it is as it was', () => {
    expect(changes('users', ['carol'])).to.deep.equal(nothing);
    expect(changes('admins', ['bob', 'ann@example.org'])).to.deep.equal(nothing);
  });

  it('tells who comes in, and of whom only the server knows', () => {
    expect(changes('users', ['carol', 'dave', 'x@y.org'])).to.deep.equal({
      ...nothing,
      added: ['dave'],
      asked: ['x@y.org'],
    });
  });

  it('tells who loses access and who changes sides', () => {
    expect(changes('users', ['bob'])).to.deep.equal({ ...nothing, removed: ['carol'], moved: ['bob'] });
    expect(changes('admins', ['ann', 'carol'])).to.deep.equal({
      ...nothing,
      removed: ['bob'],
      moved: ['carol'],
    });
  });

  it('sees when nobody would be left to administer', () => {
    expect(changes('users', ['ann', 'bob']).noAdmin).to.equal(true);
    expect(changes('admins', []).noAdmin).to.equal(true);
    expect(changes('admins', ['x@y.org']).noAdmin, 'perhaps somebody').to.equal(false);
    expect(changes('users', []).noAdmin).to.equal(false);
  });

  it('sees what the person who asks does to himself', () => {
    expect(changes('admins', ['bob'], 'a').self).to.equal('removed');
    expect(changes('users', ['carol', 'ann'], 'a').self).to.equal('demoted');
    expect(changes('users', [], 'a').self).to.equal(null);
    expect(changes('admins', ['ann', 'bob'], 'a').self).to.equal(null);
  });
});
