/** The screen of group rules, with two administrators. */
import { expect } from 'chai';
import { hold, useApp } from '../support/browser';
import type { Answer } from '../support/etherpad';
import { until } from '../support/waiting';

describe('the rules for groups', function () {
  this.timeout(60_000);
  const app = useApp();
  const asAdmin = async (method: string, body?: object): Promise<Answer> =>
    app.etherpad.api(method, 'admin/group-rules', {
      token: await app.signInAsAdmin(),
      ...(body && { body }),
    });
  const values = async (): Promise<string[]> => {
    const { rules } = (await asAdmin('GET')).body as { rules: { value: string }[] };
    return rules.map(({ value }) => value);
  };
  after(async () => {
    await asAdmin('PUT', { rules: [] });
  });

  it('stay as a colleague has saved them while the form of one of them was open', async () => {
    const folder = await app.fixture.group(await app.fixture.person('ann'));
    const rule = (value: string) => ({ source: 'ldap', value, role: 'writer', folder });
    await asAdmin('PUT', { rules: [rule('cn=first'), rule('cn=second'), rule('cn=third')] });
    const page = await app.open('/admin/group-rules', { adminToken: await app.signInAsAdmin() });
    await page.getByRole('button', { name: /^Edit rule.*cn=second/ }).click();
    const form = page.getByRole('dialog', { name: 'Edit rule' });
    await form.getByRole('textbox', { name: 'Value' }).fill('cn=other');

    await asAdmin('PUT', { rules: [rule('cn=second'), rule('cn=third')] });
    // What was read a moment ago is not read again yet.
    await until('the page has read the rules again', async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      return (await page.getByText('cn=first').count()) === 0;
    });
    await form.getByRole('button', { name: 'Save' }).click();
    const question = page.getByRole('dialog', { name: 'Save the rules?' });
    await question.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Someone else has changed this meanwhile').waitFor();
    expect(await values()).to.deep.equal(['cn=second', 'cn=third']);
  });

  it('open no form until it is known what the deletion of one would do', async () => {
    const folder = await app.fixture.group(await app.fixture.person('eva'));
    const rule = (value: string) => ({ source: 'ldap', value, role: 'writer', folder });
    await asAdmin('PUT', { rules: [rule('cn=first'), rule('cn=second')] });
    const page = await app.open('/admin/group-rules', { adminToken: await app.signInAsAdmin() });
    const answer = await hold(page, '**/api/admin/group-rules/preview');
    await page.getByRole('button', { name: /^Delete rule.*cn=first/ }).click();
    // Its form would be covered by the question, and closed with it.
    for (const name of [/^Edit rule.*cn=second/, 'Add rule'])
      await page.getByRole('button', { name }).dispatchEvent('click');
    expect(await page.getByRole('dialog').count()).to.equal(0);
    answer();
    await page.getByRole('dialog', { name: 'Save the rules?' }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('cn=first').waitFor({ state: 'detached' });
    expect(await values()).to.deep.equal(['cn=second']);
  });

  it('can be changed where a manager has a username of several words', async () => {
    const token = await app.signInAsAdmin();
    const login = 'Ada of Rules';
    const body = { login, password: 'a long secret', email: 'ada-of-rules@example.org', ifExists: 'answer' };
    await app.etherpad.api('POST', 'user', { token, body });
    await asAdmin('PUT', {
      rules: [{ source: 'ldap', value: 'cn=first', role: 'writer', managers: [login] }],
    });
    const page = await app.open('/admin/group-rules', { adminToken: token });
    await page.getByRole('button', { name: /^Edit rule/ }).click();
    const form = page.getByRole('dialog', { name: 'Edit rule' });
    await form.getByRole('textbox', { name: 'Value' }).fill('cn=other');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Save the rules?' }).waitFor();
  });
});
