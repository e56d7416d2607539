/** What administrators put into the page's head works, also from other servers; what anybody else gets into the page does not run. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { onStage, type Stage, type Visitor, visitor } from '../support/browser';

/** Somebody else's server, as one that counts visits. */
function startOther(asked: string[]): Server {
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
  return server.listen(0, '127.0.0.1');
}

describe('the extra head', function () {
  this.timeout(120_000);
  let stage: Stage;
  let other: Server;
  let origin: string;
  let somebody: Visitor;
  const asked: string[] = [];

  before(async () => {
    stage = await onStage();
    other = startOther(asked);
    await once(other, 'listening');
    origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    await stage.world.configure(
      'HTMLExtraHead',
      `<script>window.ofTheHead = "<style>" + "</" + "style>"</script>
       <style>body { --of-the-style: yes }</style>
       <link rel="stylesheet" href="${origin}/style.css">
       <script async src="${origin}/script.js"></script>`,
    );
  });
  after(async () => {
    await stage?.world.configure('HTMLExtraHead', '');
    await stage?.world.configure('loginMsg', { en: '' });
    other?.close();
    other?.closeAllConnections();
  });
  beforeEach(async () => {
    somebody = await visitor(stage);
    await somebody.open('');
    await somebody.page.getByRole('button', { name: 'Sign in' }).waitFor();
  });
  afterEach(() => somebody.close());

  const inPage = (expression: string): Promise<unknown> => somebody.page.evaluate(expression);

  it('brings scripts, styles and pictures of its own and of other servers', async () => {
    const { page } = somebody;
    await page.waitForFunction('window.ofItsOwnScript === true');
    expect(await inPage('window.ofTheHead')).to.match(/^<style nonce=[\w-]+><\/style>$/);
    expect(await inPage('window.ofTheOtherScript')).to.equal(true);
    const style = (name: string) => inPage(`getComputedStyle(document.body).getPropertyValue('${name}')`);
    expect(await style('--of-the-style')).to.equal('yes');
    expect(await style('--of-the-other-style')).to.equal('yes');
    while (!asked.includes('/count')) await page.waitForTimeout(50);
    expect(asked).to.include('/picture.svg');
    expect(somebody.complaints()).to.deep.equal([]);
  });

  it('is the only place that runs scripts: what comes in with texts stays without effect', async () => {
    const { page } = somebody;
    await stage.world.configure('loginMsg', {
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
    }, origin);
    // From another server, from a place on this host where pads could lie, and inline.
    await page.evaluate((from) => {
      document.write(`<script src="${from}/stolen.js"></script>`);
      document.write('<script src="/p/stolen/export/txt"></script>');
      document.write('<script>window.stolen = true</script><p id="written">written</p>');
      document.close();
    }, origin);
    await page.locator('#written').waitFor();
    await page.waitForTimeout(300);
    expect(await inPage('window.stolen')).to.equal(undefined);
    expect(asked).not.to.include('/stolen.js');
    const blocked = somebody.complaints().join('\n');
    for (const one of [
      'inline event handler',
      'JavaScript URL',
      '/stolen.js',
      '/p/stolen/export/txt',
      'inline script',
    ]) {
      expect(blocked).to.contain(one);
    }
  });
});
