/** Installing the app on a device: its manifest, its icons, and the colour of the browser's toolbar. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useApp } from '../support/browser';

describe('installing the app', function () {
  this.timeout(60_000);
  const app = useApp();

  let page: Page;
  beforeEach(async () => {
    page = await app.open('/login');
    await page.getByLabel('Username or email').waitFor();
  });

  it('is offered by the browser, under the name of the server', async () => {
    const devtools = await page.context().newCDPSession(page);
    const { data, errors } = await devtools.send('Page.getAppManifest');
    expect(errors).to.deep.equal([]);
    expect(JSON.parse(data ?? '')).to.include({ name: 'MyPads', display: 'standalone', start_url: './' });
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // Tests use private windows, which cannot install anything.
    const others = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito');
    expect(others).to.deep.equal([]);
  });

  it('has icons of the declared sizes', async () => {
    const sizes = await page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
      const { href = '' } = link ?? {};
      const { icons } = (await (await fetch(href)).json()) as { icons: { src: string; sizes: string }[] };
      const touch = document.querySelector<HTMLLinkElement>('link[rel="apple-touch-icon"]')?.href ?? '';
      return Promise.all(
        [...icons, { src: touch, sizes: '180x180' }].map(async ({ src, sizes: said }) => {
          const image = new Image();
          image.src = new URL(src, href).href;
          await image.decode();
          return { said, seen: `${image.naturalWidth}x${image.naturalHeight}` };
        }),
      );
    });
    expect(sizes).to.have.length(5);
    for (const { said, seen } of sizes) if (said !== 'any') expect(seen).to.equal(said);
  });

  it('gives the toolbar of the browser the colour of the chosen theme', async () => {
    const colors = () =>
      page
        .locator('meta[name="theme-color"]')
        .evaluateAll((elements) => elements.map((element) => element.getAttribute('content')));
    const [light, dark] = await colors();
    expect(light).not.to.equal(dark);
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    expect(await colors()).to.deep.equal([dark, dark]);
    await page.reload();
    await page.getByLabel('Username or email').waitFor();
    expect(await colors()).to.deep.equal([dark, dark]);
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name: 'Same as device' }).click();
    expect(await colors()).to.deep.equal([light, dark]);
  });
});
