/** Requests that Etherpad sees before our application: later Etherpads parse bodies themselves. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { useEtherpad } from '../support/useEtherpad';

describe('a host with the plugin', function () {
  this.timeout(300_000);
  const { etherpad } = useEtherpad();

  const send = (body: string, type = 'application/json') =>
    fetch(`${etherpad.url}/mypads/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
  const key = async (answer: Response) => [answer.status, ((await answer.json()) as { error: string }).error];

  it('refuses invalid bodies with an error key', async () => {
    const rows: [body: string, type: string | undefined, status: number, error: string][] = [
      [JSON.stringify({ login: 'x'.repeat(110_000), password: 'x' }), undefined, 413, 'TOO_LARGE'],
      ['{"login":', undefined, 400, 'JSON'],
      ['"login"', undefined, 400, 'JSON'],
      ['[]', undefined, 400, 'JSON'],
      ['login=x', 'application/x-www-form-urlencoded', 400, 'JSON'],
      ['{"login":"x"}', 'text/plain', 400, 'JSON'],
      ['{"__proto__":{"login":"x"}}', undefined, 400, 'PARAM_UNKNOWN'],
    ];
    for (const [body, type, status, error] of rows) {
      expect(await key(await send(body, type)), body.slice(0, 40)).to.deep.equal([
        status,
        `BACKEND.ERROR.TYPE.${error}`,
      ]);
    }
    expect((await etherpad.api('GET', 'cache/check')).status, 'it lives').to.equal(200);
  });

  it('sends its security headers with everything under /mypads, and does not name its software', async () => {
    const answers = {
      page: await fetch(`${etherpad.url}/mypads/`),
      call: await fetch(`${etherpad.url}/mypads/api/configuration`),
      nothing: await fetch(`${etherpad.url}/mypads/nothing`),
      refused: await send('{}'),
      unreadable: await send('{"login":'),
      large: await send(`"${'x'.repeat(110_000)}"`),
    };
    for (const [name, { headers }] of Object.entries(answers)) {
      expect(headers.get('x-content-type-options'), name).to.equal('nosniff');
      expect(headers.get('referrer-policy'), name).to.equal('same-origin');
      expect(headers.get('content-security-policy'), name).to.match(/frame-ancestors 'self'/);
      expect(headers.get('cache-control'), name).to.match(name === 'nothing' ? /./ : /no-store/);
      expect(headers.get('x-powered-by'), name).to.equal(null);
    }
  });

  it('answers all calls that are sent on one connection without waiting, in their order', async () => {
    const call = (id: number, method: string, path: string, body = ''): string =>
      `${method} /mypads/api/${path}?x=${id} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n${id === last ? 'Connection: close\r\n' : ''}\r\n${body}`;
    const last = 299;
    const kinds: [method: string, path: string, body: string, status: number][] = [
      ['GET', 'cache/check', '', 200],
      ['POST', 'auth/login', '{"login":', 400],
      ['GET', 'group', '', 401],
      ['PUT', 'nothing', `{"text":"${'x'.repeat(50_000)}"}`, 404],
    ];
    const sent = Array.from({ length: last + 1 }, (_, id) => {
      const [method, path, body, status] = kinds[id % kinds.length] ?? ['GET', '', '', 0];
      return { text: call(id, method, path, body), status };
    });
    const client = connect(Number(new URL(etherpad.url).port), '127.0.0.1').setEncoding('utf8');
    let received = '';
    client.on('data', (text: string) => {
      received += text;
    });
    client.write(sent.map(({ text }) => text).join(''));
    await once(client, 'close');
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    expect(statuses).to.deep.equal(sent.map(({ status }) => status));
  });
});
