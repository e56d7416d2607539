/** The section about the LDAP directory on the screen of group rules, with a real directory. */
import { expect } from 'chai';
import { problemsEverywhere, useApp } from '../support/browser';
import { type LdapServer, people, startLdapServer } from '../support/ldapServer';

describe('the sync with an LDAP directory', function () {
  this.timeout(120_000);
  const app = useApp();
  let directory: LdapServer;
  before(async () => {
    directory = await startLdapServer();
    await app.fixture.configure('authLdapSettings', directory.settings());
  });
  after(async () => {
    await asAdmin('PUT', 'admin/group-rules', { rules: [] });
    await app.reset('authMethods', 'directorySyncLimit', 'authLdapSettings');
    await directory.stop();
  });

  /** Calls the API as a server administrator. */
  async function asAdmin(method: string, path: string, body: object): Promise<Response> {
    const headers = {
      Authorization: `Bearer ${await app.signInAsAdmin()}`,
      'Content-Type': 'application/json',
    };
    const init = { method, headers, body: JSON.stringify(body) };
    const answer = await fetch(`${app.etherpad.url}/mypads/api/${path}`, init);
    expect(answer.status, path).to.equal(200);
    return answer;
  }

  it('shows a preview, waits above the limit until it is confirmed, and says how it ended', async () => {
    const page = await app.open('/admin/group-rules', { adminToken: await app.signInAsAdmin() });
    await page.getByText('There are no rules yet').waitFor();
    expect(await page.getByRole('heading', { name: 'Directory sync' }).count()).to.equal(0);

    await app.fixture.configure('authMethods', ['ldap']);
    const staff = await directory.addGroup('staff', [people.alice]);
    const ann = await app.fixture.person('ann');
    const folder = await app.fixture.group(ann, { name: 'Staff room' });
    const rule = { source: 'ldap', value: staff, role: 'writer', folder };
    await asAdmin('PUT', 'admin/group-rules', { rules: [rule] });
    const { uid: login, password } = people.alice;
    await asAdmin('POST', 'auth/login', { login, password });
    await directory.removeGroup(staff);

    await page.reload();
    const section = page.getByRole('region', { name: 'Directory sync' });
    await section.getByText('It has not run yet.').waitFor();
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    await section.getByRole('textbox', { name: 'Ask if a sync affects more people than this' }).fill('0');
    await section.getByRole('button', { name: 'Save' }).click();
    await section.getByText('Saved').waitFor();
    const shownRule = page.getByText(/Directory \(LDAP\) · Writer/);
    await shownRule.filter({ hasText: '1 person' }).waitFor();
    await section.getByRole('button', { name: 'Run now' }).click();
    await section.getByText(/whose account would be closed: 1\. That is more than the limit/).waitFor();
    expect(await problemsEverywhere(page)).to.deep.equal([]);

    await section.getByRole('button', { name: 'Review' }).click();
    const question = page.getByRole('dialog', { name: 'Run the sync with these changes?' });
    await question.getByText('Alice Liddell in “Staff room”: Writer → no role').waitFor();
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    await question.getByRole('button', { name: 'Confirm and run' }).click();
    await section.getByText(/Lost or lower roles: 1/).waitFor();
    await shownRule.filter({ hasText: '0 people' }).waitFor();
    await section.getByRole('button', { name: 'Preview' }).click();
    await question.getByText('Nobody’s role changes.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();

    await directory.stop();
    await section.getByRole('button', { name: 'Run now' }).click();
    await section.getByText(/The last run failed: .*ECONNREFUSED/).waitFor();
  });
});
