/** Two server administrators, or two tabs, change the rules for groups of a directory at the same time. */
import { expect } from 'chai';
import { usePeople } from '../support/people';

describe('rules for groups', () => {
  const { asRoot, buildShared } = usePeople();

  it('that somebody else has changed meanwhile are not replaced', async () => {
    const { _id: folder } = await buildShared();
    const rule = (value: string) => ({ source: 'ldap', value, role: 'reader', folder });
    const read = async () => (await asRoot('get', 'admin/group-rules').expect(200)).body;
    const { version } = await read();
    const save = (body: object) => asRoot('put', 'admin/group-rules', body);
    await save({ rules: [rule('cn=staff')], version }).expect(200);
    const late = await save({ rules: [rule('cn=guests')], version });
    expect([late.status, late.body]).to.deep.equal([409, { error: 'BACKEND.ERROR.CONFIGURATION.CHANGED' }]);
    const now = await read();
    expect(now.rules.map(({ value }: { value: string }) => value)).to.deep.equal(['cn=staff']);
    await save({ rules: [...now.rules, rule('cn=guests')], version: now.version }).expect(200);
    expect((await read()).rules).to.have.length(2);
    await save({ rules: [] }).expect(200);
  });
});
