/** Groups of an LDAP directory as members of folders. test/api/groupRules.test.ts has what does not depend on LDAP. */
import { expect } from 'chai';
import type { Group } from '../../api/answers';
import { useTestAppForEach } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, signInAsAdmin } from '../support/factories';
import { people } from '../support/ldapServer';
import { useDirectory } from '../support/ldapSignIn';
import { usePerson } from '../support/people';

describe('rules for groups of an LDAP directory', () => {
  const { alice } = people;
  const app = useTestAppForEach();
  const directory = useDirectory(app);
  const { user: manager, call: asManager } = usePerson(app, beforeEach);
  let folder: Group;
  beforeEach(async () => {
    folder = await buildGroup(app, manager);
    await app.model.configuration.set('authMethods', ['ldap']);
  });

  async function setRule(value: string): Promise<void> {
    const rule = { source: 'ldap', value, role: 'writer', folder: folder._id };
    const { body } = await callerOf(app, await signInAsAdmin(app))('put', 'admin/group-rules', {
      rules: [rule],
    });
    expect(body).to.have.property('success', true);
    expect(body.rules[0]).to.include({ attribute: 'memberOf', absentIsEmpty: true });
  }
  /** Signs Alice in. Returns whether she is in the folder then. */
  async function isIn(): Promise<boolean> {
    const sent = { login: 'alice', password: alice.password };
    const { body } = await app.agent.post('/api/auth/login').send(sent).expect(200);
    const { value } = (await asManager('get', `group/${folder._id}`)).body;
    return value.users.includes(body.user._id);
  }

  it('follow the groups that a person is in, also out of the last one', async () => {
    const staff = await directory.addGroup('staff', [alice, people.bob]);
    await setRule(staff);
    expect(await isIn()).to.equal(true);
    await directory.removeGroup(staff);
    expect(await isIn(), 'the entry has no memberOf any more').to.equal(false);
  });

  it('read the attribute also where the settings list others, whatever the spelling of the name', async () => {
    const maths = await directory.addGroup('Maths', [alice]);
    const searchAttributes = ['uid', 'mail', 'givenName', 'sn'];
    await app.model.configuration.set('authLdapSettings', directory.settings({ searchAttributes }));
    await setRule('CN=maths, dc=Example,  DC=org');
    expect(await isIn()).to.equal(true);
    await directory.removeGroup(maths);
  });
});
