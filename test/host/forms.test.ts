/** Forms that anybody sends to Etherpad's own addresses. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { useEtherpad } from '../support/useEtherpad';
import { until } from '../support/waiting';

describe('forms of strangers', function () {
  this.timeout(300_000);
  const temporary = mkdtempSync(path.join(tmpdir(), 'mypads-forms-'));
  const { etherpad, fixture, owner } = useEtherpad({ env: { TMPDIR: temporary } });
  let earlier: string[] = [];
  before(() => {
    earlier = readdirSync(temporary);
  });
  after(() => rmSync(temporary, { recursive: true, force: true }));

  const left = (): string[] => readdirSync(temporary).filter((name) => !earlier.includes(name));

  function withFiles(...names: string[]): FormData {
    const form = new FormData();
    for (const name of names) form.set(name, new Blob(['x'.repeat(10_000)]), `${name}.txt`);
    return form;
  }

  it('leave no files on the server', async () => {
    const pad = await fixture.pad(owner, await fixture.group(owner, { visibility: 'public' }));
    const addresses = [
      'api/1.2.15/getText',
      'rest/1.2.15/pad/text',
      'jserror',
      'ep/pad/connection-diagnostic-info',
    ];
    for (const address of [...addresses, `p/${pad}/import`]) {
      await etherpad.get(`/${address}`, { method: 'POST', form: withFiles('file', 'other') });
      await until(`nothing is left of ${address}`, () => left().length === 0);
    }
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
});
