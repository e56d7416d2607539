/** The app and its pads in a frame of another site. */
import { createServer } from 'node:http';
import { expect } from 'chai';
import type { FrameLocator } from 'playwright-core';
import { type AppWindow, heading, useApp, type WindowOptions } from '../support/browser';
import { untilEditable } from '../support/editor';
import { type Listening, listen } from '../support/listening';
import { until } from '../support/waiting';

describe('a frame on another site', function () {
  this.timeout(120_000);
  const app = useApp();
  let site: Listening;
  const ann = app.usePerson('ann');
  let folder = '';
  let framed = '';

  before(async () => {
    folder = await app.fixture.group(ann, { name: 'Desk', visibility: 'public' });
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(
        `<!doctype html><title>Another site</title><iframe src="${framed}" width="900" height="500"></iframe>`,
      );
    });
    site = await listen(server);
  });
  after(() => site.stop());

  /** Shows an address of the server in a frame. `localhost` is another site than the server at `127.0.0.1`. */
  async function show(path: string, options: WindowOptions): Promise<AppWindow & { frame: FrameLocator }> {
    framed = `${app.etherpad.url}${path}`;
    const opened = await app.window(options);
    const { page } = opened;
    await page.goto(`http://localhost:${site.port}/`);
    return { ...opened, frame: page.frameLocator('iframe') };
  }

  it('shows a public pad, to write in', async () => {
    const pad = await app.fixture.pad(ann, folder, { name: 'Open' });
    const { frame, takeErrors } = await show(`/p/${pad}`, {});
    await untilEditable(frame, true);
    // Etherpad itself complains that it may not keep its own cookie there.
    expect(takeErrors().join()).to.match(/^$|chatAlwaysVisible/);
  });

  it('shows why another pad is not there, with a link that opens it in a tab of its own', async () => {
    const pad = await app.fixture.pad(ann, folder, { name: 'Hidden', visibility: 'restricted' });
    const { page, frame } = await show(`/p/${pad}`, { as: ann });
    await frame.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
    await frame.getByText('Sign in').first().waitFor();
    const opening = page.context().waitForEvent('page');
    await frame.getByRole('link', { name: 'Open in new tab' }).click();
    await (await opening).waitForURL(`**/mypads/?/mypads/group/${folder}/pad/view/${pad}`);
    // In a frame of another site, the browser hides the session from the app. In its own tab it does not.
    await heading(await opening, 'Hidden').waitFor();
  });

  it('never shows the app itself, where a site could make people press its buttons', async () => {
    const { page, takeErrors } = await show('/mypads/?/mypads', { as: ann });
    await until('the browser shows its own error', () =>
      page.frames().some((frame) => frame.url() === 'chrome-error://chromewebdata/'),
    );
    expect(await page.frames()[1]?.locator('#app').count()).to.equal(0);
    expect(takeErrors().join()).to.contain("frame-ancestors 'self'");
  });
});
