/** Files of the server that nobody may read through Etherpad's addresses of scripts and styles. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { useEtherpad } from '../support/useEtherpad';

describe('files of the server', function () {
  this.timeout(300_000);
  const { etherpad } = useEtherpad();
  const secret = 'a secret in a file of the server';
  let file: string;

  before(async () => {
    file = path.join(path.dirname(etherpad.settingsFile), 'secret.txt');
    await writeFile(file, secret);
  });

  /** `fetch` would turn backslashes into slashes. */
  async function read(address: string): Promise<{ status?: number; body: string }> {
    const { hostname, port } = new URL(etherpad.url);
    const [answer] = (await once(get({ hostname, port, path: address }), 'response')) as [IncomingMessage];
    return { status: answer.statusCode, body: await text(answer) };
  }

  it('cannot be read with backslashes in an address', async () => {
    for (const backslash of ['%5C', '%5c', '\\', '%255C']) {
      const target = `${`..${backslash}`.repeat(20)}${file.slice(1)}`;
      for (const folder of [
        '/static/plugins/ep_etherpad-lite/static/',
        '/static/plugins/ep_mypads/static/',
        '/STATIC/plugins/ep_mypads/static/',
        '/static/',
        '/static/css/',
        '//static/plugins/ep_mypads/static/',
        '/x/../static/plugins/ep_mypads/static/',
        '/./static/plugins/ep_mypads/static/',
        '/%73tatic/plugins/ep_mypads/static/',
        '/static%2Fplugins/ep_mypads/static/',
        '/javascripts/lib/ep_etherpad-lite/static/',
        '/javascripts/src/plugins/ep_etherpad-lite/static/',
      ]) {
        for (const query of ['', '?callback=require.define']) {
          const { body } = await read(`${folder}${target}${query}`);
          expect(body, `${folder}…${backslash}${query}`).not.to.include(secret);
        }
      }
    }
  });

  it('are refused with the reason, while scripts and styles are delivered', async () => {
    const { status, body } = await read('/static/plugins/ep_mypads/static/..%5C..%5Cpackage.json');
    expect([status, JSON.parse(body)]).to.deep.equal([400, { error: 'BACKEND.ERROR.TYPE.ADDRESS' }]);
    expect((await read('/static/css/pad.css')).status).to.equal(200);
    expect((await read('/static/plugins/ep_mypads/static/dist/pad/hooks.js')).status).to.equal(200);
  });
});
