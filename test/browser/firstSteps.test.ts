/** The first steps of an administrator on a fresh server. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { firstSteps } from '../../model/settings/firstSteps';
import {
  accessibilityProblems,
  administer,
  onStage,
  type Stage,
  signInAsAdmin,
  type Visitor,
  visitor,
} from '../support/browser';

describe('the first steps', function () {
  this.timeout(90_000);
  let stage: Stage;
  let token = '';
  let now: Visitor | undefined;
  const reset = ['rootUrl', 'SMTPHost', 'SMTPEmailFrom', 'openRegistration', 'authMethod'];

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
    token = await signInAsAdmin(stage.etherpad);
  });

  beforeEach(async () => {
    for (const key of reset) await stage.etherpad.api('DELETE', `configuration/${key}`, { token });
    await stage.world.configure('firstSteps', []);
  });

  afterEach(async () => {
    expect(now?.complaints() ?? []).to.deep.equal([]);
    await now?.close();
    now = undefined;
  });

  after(async () => {
    for (const key of reset) await stage.etherpad.api('DELETE', `configuration/${key}`, { token });
    await stage.world.configure('firstSteps', firstSteps);
  });

  async function at(place: string, options: Parameters<typeof visitor>[1] = {}): Promise<Page> {
    await now?.close();
    now = await visitor(stage, options);
    await administer(now.page, token);
    await now.open(place);
    return now.page;
  }

  const setting = async (key: string): Promise<unknown> =>
    ((await stage.etherpad.api('GET', `configuration/${key}`, { token })).body as { value: unknown }).value;
  const step = (page: Page, name: string) => page.getByRole('button', { name, expanded: true });
  /** As if the server had no folder yet: other tests of this run make some. */
  const withoutFolders = (page: Page) =>
    page.route('**/api/stats/stats.json*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), users: 0, groups: 0 } });
    });

  it('are shown to the administrator of a fresh server, and lead from one to the next', async () => {
    const page = await at('/nowhere');
    await withoutFolders(page);
    await now?.open('/admin');
    await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor();
    await step(page, 'Address of this server').waitFor();
    await page.getByRole('button', { name: `Use ${stage.etherpad.url}` }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await setting('rootUrl')).to.equal(stage.etherpad.url);

    await step(page, 'Mail').waitFor();
    await page.getByRole('button', { name: 'Skip this step' }).click();

    await step(page, 'Who gets an account').waitFor();
    await page.getByText('Administrators create accounts').click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await step(page, 'The first folder').waitFor();
    expect(await setting('openRegistration')).to.equal(false);
    await page.getByRole('link', { name: 'New user' }).click();
    await page.getByRole('heading', { level: 1, name: 'New user' }).waitFor();
    await page.getByRole('link', { name: 'First steps' }).click();
    await step(page, 'The first folder').waitFor();
    await page.getByRole('button', { name: 'Skip this step' }).click();
    await page.getByText('This server is ready').waitFor();
    expect(await page.getByRole('link', { name: 'First steps' }).count()).to.equal(0);
    expect(await setting('firstSteps')).to.have.members([...firstSteps]);

    await page.getByRole('link', { name: 'Settings' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  });

  it('can be left, and wait in the navigation', async () => {
    const page = await at('/nowhere');
    await withoutFolders(page);
    await now?.open('/admin');
    await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByRole('link', { name: /First steps\s*4/ }).click();
    await page.getByRole('button', { name: 'Mail To do' }).click();
    await page.getByRole('textbox', { name: 'Mail server', exact: true }).waitFor();
    expect(new URL(page.url()).search).to.contain('step=mail');
    await page.reload();
    await step(page, 'Mail').waitFor();
  });

  it('show what the server already has, and do not lead a server that is in use', async () => {
    await stage.world.configure('rootUrl', stage.etherpad.url);
    const page = await at('/admin');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByRole('link', { name: 'First steps' }).click();
    await page.getByRole('button', { name: 'Address of this server Done' }).waitFor();
    await step(page, 'Mail').waitFor();
  });

  it('are told to nobody else', async () => {
    const { body } = await stage.etherpad.api('GET', 'configuration', {});
    expect(JSON.stringify(body)).not.to.contain('firstSteps');
  });

  it('are for everybody, in light and dark, on a phone', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const screen = { width: 320, height: 720 };
      const page = await at('/admin/first-steps?step=accounts', { screen, theme });
      await step(page, 'Who gets an account').waitFor();
      expect(await accessibilityProblems(page), theme).to.deep.equal([]);
    }
  });
});
