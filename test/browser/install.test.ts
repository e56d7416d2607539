/** The page as an app on the device: its manifest, its icons, and the colour of the browser's bar. */
import { expect } from 'chai';
import { onStage, type Stage, type Visitor, visitor } from '../support/browser';

describe('installing the page', function () {
  this.timeout(60_000);
  let stage: Stage;
  let now: Visitor;

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
  });

  beforeEach(async () => {
    now = await visitor(stage);
    await now.open('/login');
    await now.page.getByLabel('Login or e-mail').waitFor();
  });

  afterEach(async () => {
    expect(now.complaints()).to.deep.equal([]);
    await now.close();
  });

  it('is offered by the browser, under the name of the server', async () => {
    const devtools = await now.page.context().newCDPSession(now.page);
    const { data, errors } = await devtools.send('Page.getAppManifest');
    expect(errors).to.deep.equal([]);
    expect(JSON.parse(data ?? '')).to.include({ name: 'MyPads', display: 'standalone', start_url: './' });
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // A window of a private session, as tests have it, cannot install anything.
    const others = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito');
    expect(others).to.deep.equal([]);
  });

  it('has icons of the size that they say', async () => {
    const sizes = await now.page.evaluate(async () => {
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

  it('colours the bar of the browser as the chosen theme', async () => {
    const { page } = now;
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
    await page.getByLabel('Login or e-mail').waitFor();
    expect(await colors()).to.deep.equal([dark, dark]);
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name: 'Same as device' }).click();
    expect(await colors()).to.deep.equal([light, dark]);
  });
});
