/** Scripts and styles that administrators add to the page work, also from other servers. No other script runs. */
import { createServer } from 'node:http';
import { expect } from 'chai';
import { type AppWindow, useApp } from '../support/browser';
import { type Listening, listen } from '../support/listening';
import { until } from '../support/waiting';

/** Another server, such as one that counts visits. */
function startOther(asked: string[]): Promise<Listening> {
  const files: Record<string, [type: string, text: string]> = {
    '/style.css': ['text/css', 'body { --of-the-other-style: yes; background-image: url(picture.svg) }'],
    '/picture.svg': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    '/script.js': [
      'text/javascript',
      `window.ofTheOtherScript = true;
       const more = document.createElement('script');
       more.src = new URL('more.js', document.currentScript.src);
       document.head.append(more);`,
    ],
    '/more.js': ['text/javascript', 'window.ofItsOwnScript = true; fetch("{origin}/count");'],
    '/count': ['text/plain', 'one more'],
    '/stolen.js': ['text/javascript', 'window.stolen = true'],
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const [type, text] = files[path] ?? ['text/plain', ''];
    response.writeHead(path in files ? 200 : 404, {
      'content-type': type,
      'access-control-allow-origin': '*',
    });
    response.end(text.replace('{origin}', `http://${request.headers.host}`));
  });
  return listen(server);
}

describe('the extra head', function () {
  this.timeout(120_000);
  // The picture that a script of the test adds, which may be asked for after the test has looked at the errors.
  const app = useApp({ expected: /\/mypads\/x: Failed to load resource/ });
  let other: Listening;
  let visitor: AppWindow;
  const asked: string[] = [];

  before(async () => {
    other = await startOther(asked);
    const { url: origin } = other;
    await app.fixture.configure(
      'HTMLExtraHead',
      `<script>window.ofTheHead = "<style>" + "</" + "style>"</script>
       <style>body { --of-the-style: yes }</style>
       <link rel="stylesheet" href="${origin}/style.css">
       <script async src="${origin}/script.js"></script>`,
    );
  });
  after(async () => {
    await app.fixture.configure('HTMLExtraHead', '');
    await app.fixture.configure('loginMsg', { en: '' });
    await other?.stop();
  });
  beforeEach(async () => {
    visitor = await app.window();
    await visitor.goTo('');
    await visitor.page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  const evaluate = (expression: string): Promise<unknown> => visitor.page.evaluate(expression);

  it('loads scripts, styles and pictures, its own and those of other servers', async () => {
    const { page } = visitor;
    await page.waitForFunction('window.ofItsOwnScript === true');
    expect(await evaluate('window.ofTheHead')).to.match(/^<style nonce=[\w-]+><\/style>$/);
    expect(await evaluate('window.ofTheOtherScript')).to.equal(true);
    const style = (name: string) => evaluate(`getComputedStyle(document.body).getPropertyValue('${name}')`);
    expect(await style('--of-the-style')).to.equal('yes');
    expect(await style('--of-the-other-style')).to.equal('yes');
    await until('the script has counted the visit', () => asked.includes('/count'));
    await until('the style sheet has loaded its picture', () => asked.includes('/picture.svg'));
  });

  it('is the only source of scripts: scripts in texts do not run', async () => {
    const { page } = visitor;
    await app.fixture.configure('loginMsg', {
      en: 'Good morning <img src="x" onerror="window.stolen = true"><script>window.stolen = true</script>',
    });
    await page.reload();
    await page.getByText('Good morning').waitFor();
    await page.evaluate((from) => {
      document.body.insertAdjacentHTML(
        'beforeend',
        `<img src="x" onerror="window.stolen = true">
         <svg onload="window.stolen = true"></svg>
         <a id="trap" href="javascript:window.stolen = true">trap</a>
         <iframe srcdoc="<script>parent.stolen = true</script>"></iframe>
         <object data="${from}/stolen.js"></object>`,
      );
      document.querySelector<HTMLElement>('#trap')?.click();
    }, other.url);
    // From another server, from the address of a pad on this server, and inline.
    await page.evaluate((from) => {
      document.write(`<script src="${from}/stolen.js"></script>`);
      document.write('<script src="/p/stolen/export/txt"></script>');
      document.write('<script>window.stolen = true</script><p id="written">written</p>');
      document.close();
    }, other.url);
    await page.locator('#written').waitFor();
    const blocked: string[] = [];
    for (const one of [
      'inline event handler',
      'JavaScript URL',
      '/stolen.js',
      '/p/stolen/export/txt',
      'inline script',
    ]) {
      await until(`the browser has blocked ${one}`, () => {
        blocked.push(...visitor.takeErrors());
        return blocked.some((error) => error.includes(one));
      });
    }
    expect(await evaluate('window.stolen')).to.equal(undefined);
    expect(asked).not.to.include('/stolen.js');
  });
});
