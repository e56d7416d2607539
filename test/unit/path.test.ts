import { expect } from 'chai';
import fc from 'fast-check';
import { parametersOf, pathOf, searchOf, withParameters } from '../../static/app/navigation/path';

describe('the address of a screen', () => {
  const addresses: readonly [what: string, search: string, path: string][] = [
    ['a page without a query is the start', '', '/'],
    [
      'an old link leads to its folder',
      '?/mypads/group/santa-fe-l759d2p/view',
      '/mypads/group/santa-fe-l759d2p/view',
    ],
    ['filters are no part of the route', '?/mypads&q=math&sort=name', '/mypads'],
    ['a ticket of the sign-in service is no part of the route', '?/login&ticket=ST-1', '/login'],
    ['what other sites add to a link does no harm', '?/mypads&fbclid=x', '/mypads'],
    ['a mail program may escape the slashes', '?%2Fmypads%2Fgroup%2Fx%2Fview', '/mypads/group/x/view'],
    ['a proxy may add an equals sign', '?/mypads=', '/mypads'],
    ['a query that is no route is the start', '?utm_source=mail', '/'],
  ];
  for (const [what, search, path] of addresses) it(what, () => expect(pathOf(search)).to.equal(path));

  it('keeps every filter, with any characters in it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.array(fc.string({ minLength: 1 })), (q, tag) => {
        const search = searchOf(withParameters('/mypads', { q, tag }));
        expect(pathOf(search)).to.equal('/mypads');
        expect(parametersOf(search).get('q')).to.equal(new URLSearchParams({ q }).get('q'));
        expect(parametersOf(search).getAll('tag')).to.deep.equal(tag);
      }),
    );
  });

  it('omits empty filters', () => {
    expect(withParameters('/mypads', { q: '', sort: null, tag: [], page: undefined })).to.equal('/mypads');
  });
});
