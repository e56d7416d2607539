/** Forms that anybody sends to Etherpad's own addresses. */
import { readdirSync, readlinkSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { expect } from 'chai';
import { temporary, useAttackedEtherpad } from '../support/attackedEtherpad';
import { until } from '../support/waiting';

describe('forms of strangers', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useAttackedEtherpad();
  let earlier: string[] = [];
  beforeEach(() => {
    earlier = readdirSync(temporary);
  });

  const left = (): string[] => readdirSync(temporary).filter((name) => !earlier.includes(name));

  /** How many files of this test the server has open, deleted ones too. */
  function open(): number {
    const folder = `/proc/${etherpad.pid()}/fd`;
    const isOpen = (descriptor: string): boolean => {
      try {
        const { dir, base } = path.parse(readlinkSync(path.join(folder, descriptor)));
        return dir === temporary && !earlier.includes(base.replace(' (deleted)', ''));
      } catch {
        // Closed since the folder was read.
        return false;
      }
    };
    return readdirSync(folder).filter(isOpen).length;
  }

  function withFiles(...names: string[]): FormData {
    const form = new FormData();
    for (const name of names) form.set(name, new Blob(['x'.repeat(10_000)]), `${name}.txt`);
    return form;
  }

  const addresses = [
    'api/1.2.15/getText',
    'rest/1.2.15/pad/text',
    'jserror',
    'ep/pad/connection-diagnostic-info',
  ];
  const importAddress = async (): Promise<string> =>
    `p/${await fixture.pad(owner, await fixture.group(owner, { visibility: 'public' }))}/import`;

  /** A form as bytes: `fetch` stops with an error when a form of its own is answered before it was sent. */
  async function encoded(
    form: FormData,
  ): Promise<{ body: Uint8Array<ArrayBuffer>; headers: Record<string, string> }> {
    const whole = new Response(form);
    const type = whole.headers.get('content-type') ?? '';
    return { body: new Uint8Array(await whole.arrayBuffer()), headers: { 'content-type': type } };
  }

  it('leave no files on the server', async () => {
    for (const address of [...addresses, await importAddress()]) {
      await etherpad.get(`/${address}`, { method: 'POST', form: withFiles('file', 'other') });
      await until(`nothing is left of ${address}`, () => left().length === 0);
    }
  });

  it('leave no files, and none open, when the first of many is refused', async () => {
    const form = new FormData();
    form.set('file', new Blob([]), 'empty.txt');
    for (let number = 0; number < 100; number += 1) form.set(`${number}`, new Blob(['x']), `${number}.txt`);
    const request = { method: 'POST', ...(await encoded(form)) };
    for (const address of [...addresses, await importAddress()]) {
      await (await fetch(`${etherpad.url}/${address}`, request)).text();
      // Etherpad may open files after its answer to a form, but before its answer to the next call.
      await etherpad.get('/');
      await until(`nothing is left of ${address}`, () => left().length + open() === 0);
    }
  });

  it('leave no files, none open, and the server running, when their sender leaves early', async () => {
    const form = withFiles('file');
    form.set('large', new Blob(['x'.repeat(5_000_000)]), 'large.txt');
    const { body, headers } = await encoded(form);
    for (const address of ['api/1.2.15/getText', await importAddress()]) {
      for (let round = 0; round < 10; round += 1) {
        const request = http.request(`${etherpad.url}/${address}`, {
          method: 'POST',
          headers: { ...headers, 'content-length': body.length },
        });
        request.on('error', () => {});
        request.write(body.subarray(0, body.length - 5_000));
        await until(`the files are there for ${address}`, () => left().length === 2 && open() > 0);
        request.destroy();
        await until(`nothing is left of ${address}`, () => left().length + open() === 0);
      }
    }
    expect((await etherpad.get('/')).status).to.equal(200);
  });

  it('are no long report about a script or a connection', async () => {
    const report = (address: string, body: string, type = 'application/x-www-form-urlencoded') =>
      fetch(`${etherpad.url}/${address}`, { method: 'POST', body, headers: { 'content-type': type } });
    const short = `errorInfo=${encodeURIComponent(JSON.stringify({ msg: 'a script failed' }))}`;
    expect((await report('jserror', short)).status).to.equal(200);
    await until('it is in the log', () => etherpad.log().includes('a script failed'));
    const long = `errorInfo=${'['.repeat(100_000)}`;
    for (const address of ['jserror', 'JSERROR/', 'ep/pad/connection-diagnostic-info']) {
      expect((await report(address, long)).status, address).to.equal(413);
      expect((await report(address, long, 'application/octet-stream')).status, address).to.equal(413);
    }
    const streamed = await fetch(`${etherpad.url}/jserror`, {
      method: 'POST',
      body: new Blob([long]).stream(),
      duplex: 'half',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    } as RequestInit);
    expect(streamed.status).to.equal(413);
  });

  it('that report an error neither write other lines of the log nor stop the server', async () => {
    const report = (errorInfo: string) =>
      fetch(`${etherpad.url}/jserror`, { method: 'POST', body: new URLSearchParams({ errorInfo }) });
    const forged = '[2026-11-27 20:00:00.000] [WARN] ep_mypads - sign-in refused';
    await report(JSON.stringify({ msg: `broken\n${forged}` }));
    await until('it is in one line', () => etherpad.log().includes(`broken\\u000a${forged}`));
    for (const unusable of ['null', '{"msg":{"toString":1}}', '"']) await report(unusable);
    expect((await etherpad.get('/')).status).to.equal(200);
  });
});
