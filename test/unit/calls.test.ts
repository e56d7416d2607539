/** The calls of the page, with the few globals of a browser that they use. */
import { createServer, type RequestListener } from 'node:http';
import { expect } from 'chai';
import { type Listening, listen } from '../support/listening';
import { until } from '../support/waiting';

describe('a call of the page whose answer begins and does not end', () => {
  const names = ['location', 'history', 'addEventListener', 'document'] as const;
  const own = new Map(names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
  let server: Listening;
  let isAskedAgain = false;
  let call: typeof import('../../static/app/data/client').call;

  before(async () => {
    const answer: RequestListener = ({ url }, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      if (!url?.endsWith('/cache/check')) return void response.write('{"value":');
      response.end('{}');
      isAskedAgain = true;
    };
    server = await listen(createServer(answer));
    // Node's fetch needs a full address, which the page takes from its path.
    const pathname = `${server.url}/mypads/`;
    const values = {
      location: { pathname, search: '' },
      history: { state: null, replaceState: () => {} },
      addEventListener: () => {},
      document: { cookie: '' },
    };
    for (const name of names) {
      Object.defineProperty(globalThis, name, { value: values[name], configurable: true });
    }
    ({ call } = await import('../../static/app/data/client'));
  });
  after(async () => {
    // After a time-out, the page asks until the server answers.
    await until('the page has its answer', () => isAskedAgain);
    for (const [name, descriptor] of own) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
    await server.stop();
  });

  const errorOf = (options: object): Promise<unknown> => call('GET /group', options).catch((error) => error);

  it('ends with a time-out', async () => {
    expect(await errorOf({ timeout: 100 })).to.include({ key: 'CLIENT.ERROR.TIMEOUT' });
  });

  it('ends with the reason of the signal that stops it', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort('left the screen'), 100);
    expect(await errorOf({ signal: stop.signal })).to.equal('left the screen');
  });
});
