import { expect } from 'chai';
import type { Person } from '../../api/answers';
import type { ListedFolder } from '../../static/app/data/folders';
import {
  entriesOf,
  type Filters,
  filterEntries,
  readFilters,
  sortEntries,
} from '../../static/app/screens/folders/folderListing';

const me: Person = { _id: 'me', login: 'me', color: '' };
const other: Person = { _id: 'other', login: 'other', color: '' };
const everything: Filters = { text: '', role: null, visibility: null, tags: [] };

let made = 0;

function folder(name: string, fields: Partial<ListedFolder> = {}): ListedFolder {
  made += 1;
  return {
    _id: `group-${made}`,
    name,
    visibility: 'restricted',
    readonly: false,
    archived: false,
    tags: [],
    admins: ['me'],
    users: [],
    readers: [],
    padCount: 0,
    ctime: made,
    lastUpdate: made,
    abilities: {
      edit: true,
      remove: true,
      invite: true,
      share: true,
      link: true,
      leave: false,
      createPad: true,
      bookmark: true,
      export: true,
      seePeople: true,
    },
    ...fields,
  };
}

function listed(groups: readonly ListedFolder[], bookmarked: readonly ListedFolder[] = []) {
  return entriesOf(
    {
      groups: Object.fromEntries(groups.map((group) => [group._id, group])),
      users: { me, other },
      shared: { groups: {}, pads: {} },
      bookmarks: { groups: {}, pads: {} },
      requests: 0,
      templates: [],
    },
    new Set(bookmarked.map(({ _id }) => _id)),
  );
}

const names = (entries: readonly { group: ListedFolder }[]): string[] =>
  entries.map(({ group }) => group.name);

function found(groups: readonly ListedFolder[], filters: Partial<Filters>): string[] {
  return names(filterEntries(listed(groups), { ...everything, ...filters }, me));
}

describe('the list of folders', () => {
  it('shows bookmarked folders first, archived ones last', () => {
    const archived = folder('archived and bookmarked', { archived: true });
    const readonly = folder('read only');
    const starred = folder('read only and bookmarked', { readonly: true });
    const normal = folder('normal');
    readonly.readonly = true;
    const entries = listed([archived, readonly, starred, normal], [archived, starred]);
    const sections = Object.fromEntries(entries.map(({ group, section }) => [group.name, section]));
    expect(sections).to.deep.equal({
      'archived and bookmarked': 'archived',
      'read only': 'archived',
      'read only and bookmarked': 'bookmarked',
      normal: 'normal',
    });
    const sorted = sortEntries(entries, { by: 'name', ascending: false }, 'en').map(({ section }) => section);
    expect(sorted).to.deep.equal(['bookmarked', 'normal', 'archived', 'archived']);
  });

  it('sorts names the way a reader of the language would', () => {
    const entries = listed(['Zoo', 'école', 'Area 10', 'area 9', 'Ecole b'].map((name) => folder(name)));
    expect(names(sortEntries(entries, { by: 'name', ascending: true }, 'fr'))).to.deep.equal([
      'area 9',
      'Area 10',
      'école',
      'Ecole b',
      'Zoo',
    ]);
  });

  it('finds folders by a part of the name or a tag, whatever the case, also by brackets', () => {
    const groups = [
      folder('Board (minutes)'),
      folder('Kitchen', { tags: ['Onboarding'] }),
      folder('Festival'),
    ];
    expect(found(groups, { text: 'board' })).to.deep.equal(['Board (minutes)', 'Kitchen']);
    expect(found(groups, { text: '(min' })).to.deep.equal(['Board (minutes)']);
  });

  it('finds folders without the accents of their names, and by several words in any order', () => {
    const groups = [folder('Été à Köln', { tags: ['Voyage'] }), folder('Kolumne')];
    expect(found(groups, { text: 'koln ete' })).to.deep.equal(['Été à Köln']);
    expect(found(groups, { text: 'voyage été' })).to.deep.equal(['Été à Köln']);
    expect(found(groups, { text: 'köl' })).to.deep.equal(['Été à Köln', 'Kolumne']);
  });

  it('searches from three characters on, or from one that may be a word', () => {
    expect(readFilters(new URLSearchParams('q=ab')).text).to.equal('');
    expect(readFilters(new URLSearchParams('q=Abc')).text).to.equal('Abc');
    expect(readFilters(new URLSearchParams('q=%20会%20')).text).to.equal('会');
  });

  it('shows what fits all filters at once', () => {
    const groups = [
      folder('mine, both tags', { tags: ['a', 'b'] }),
      folder('mine, one tag', { tags: ['a'] }),
      folder('invited', { admins: ['other'], users: ['me'], tags: ['a', 'b'], visibility: 'public' }),
    ];
    expect(found(groups, { tags: ['a', 'b'] })).to.deep.equal(['mine, both tags', 'invited']);
    expect(found(groups, { tags: ['a', 'b'], role: 'admin' })).to.deep.equal(['mine, both tags']);
    expect(found(groups, { role: 'user', visibility: 'public' })).to.deep.equal(['invited']);
  });

  it('does not confuse a tag with a filter of the same name', () => {
    const groups = [folder('tagged', { tags: ['admin'] }), folder('not tagged')];
    expect(found(groups, { role: 'admin' })).to.deep.equal(['tagged', 'not tagged']);
    expect(found(groups, { tags: ['admin'] })).to.deep.equal(['tagged']);
  });

  it('ignores invalid filters', () => {
    expect(readFilters(new URLSearchParams('role=king&visibility=secret'))).to.deep.equal(everything);
  });

  it('sorts by the last change', () => {
    const groups = [folder('old', { lastUpdate: 10 }), folder('new', { lastUpdate: 70 })];
    const sorted = sortEntries(listed(groups), { by: 'lastUpdate', ascending: false }, 'en');
    expect(names(sorted)).to.deep.equal(['new', 'old']);
  });
});
