import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createHeaderSignIn } from '../../model/signin/header';
import { removeForeignHeaders } from '../../web/proxyHeaders';
import { checkEach } from '../support/cases';

describe('the headers in which a proxy names people', () => {
  let proxies: string[] = [];
  const header = createHeaderSignIn({
    settings: () => ({ name: 'Authelia', proxies, headers: { groups: 'Remote-Groups' } }),
    wanted: async () => [],
    log: console,
  });
  let server: Server;
  before(async () => {
    server = createServer((request, response) => {
      removeForeignHeaders({ header }, request);
      const { headers, headersDistinct, rawHeaders } = request;
      response.end(JSON.stringify({ headers, headersDistinct, rawHeaders }));
    }).listen(0);
    await once(server, 'listening');
  });
  after(() => server.close());

  /** What the server still knows of the name, in three places. */
  async function seen(address: string): Promise<number> {
    const { port } = server.address() as AddressInfo;
    const headers = { 'remote-user': 'ada', 'Remote-Name': 'Ada', Cookie: 'a=b' };
    const answer = await fetch(`http://${address}:${port}/`, { headers });
    const text = await answer.text();
    const { cookie } = (JSON.parse(text) as { headers: IncomingHttpHeaders }).headers;
    expect(cookie).to.equal('a=b');
    return text.split(/remote-user/i).length - 1;
  }

  it('are kept on connections from the proxy, and removed from all others', async () => {
    const networks: Record<string, [string, string, boolean]> = {
      'the address': ['127.0.0.1', '127.0.0.1', true],
      'a network': ['127.0.0.1', '127.0.0.0/8', true],
      'the address in IPv6': ['[::1]', '::1', true],
      'a network in IPv6': ['[::1]', '::/127', true],
      'another address': ['127.0.0.1', '127.0.0.2', false],
      'another network': ['127.0.0.1', '10.0.0.0/8', false],
      'IPv4 for IPv6': ['[::1]', '127.0.0.0/8', false],
      'IPv6 for IPv4': ['127.0.0.1', '::1', false],
    };
    await checkEach(networks, async ([address, network, isKept]) => {
      proxies = [network];
      expect(await seen(address)).to.equal(isKept ? 3 : 0);
    });
  });
});
