import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { takeTurns } from '../../hooks/connectionTurns';
import { type Listening, listen } from '../support/listening';
import { until } from '../support/waiting';

describe('many requests on one connection', () => {
  let server: Listening;
  let client: Socket;
  let received: string;
  /** Paths and bodies in the order in which they were begun. */
  let begun: string[];
  /** Answers that wait until the test lets them go. */
  let held: (() => void)[];
  /** The server's side of the connection. */
  let connection: Socket;

  beforeEach(async () => {
    [received, begun, held] = ['', [], []];
    const app = express();
    app.use(takeTurns);
    app.use(express.text({ limit: '1mb' }));
    app.use((request, response) => {
      begun.push(`${request.url}${typeof request.body === 'string' ? ` ${request.body}` : ''}`);
      held.push(() => response.send(`answer to ${request.url}.`));
    });
    const turns = createServer(app);
    server = await listen(turns);
    turns.once('connection', (socket: Socket) => {
      connection = socket;
    });
    client = connect(server.port, '127.0.0.1');
    client.setEncoding('utf8').on('data', (text: string) => {
      received += text;
    });
    await once(client, 'connect');
  });
  afterEach(async () => {
    client.destroy();
    await server.stop();
  });

  const get = (path: string, header = 'X: y'): string =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`;
  const post = (path: string, body: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const release = (): void => held.shift()?.();

  /** Lets answers go, one after the other, until `count` requests have been answered. */
  async function answerAll(count: number): Promise<void> {
    for (let number = 0; number < count; number += 1) {
      await until(`request ${number} is begun`, () => held.length > 0);
      expect(held.length, `begun together with ${number}`).to.equal(1);
      release();
    }
    await until('all are answered', () => received.split('answer to').length - 1 === count);
  }

  it('are answered one after the other, in their order', async () => {
    client.write(Array.from({ length: 300 }, (_, number) => get(`/${number}`)).join(''));
    await answerAll(300);
    expect(begun).to.deep.equal(Array.from({ length: 300 }, (_, number) => `/${number}`));
  });

  it('are not even read while one is not answered', async () => {
    const large = `X: ${'y'.repeat(8_000)}`;
    client.write(Array.from({ length: 5_000 }, (_, number) => get(`/${number}`, large)).join(''));
    await until('the server stops reading', () => connection?.isPaused());
    expect(connection.bytesRead).to.be.below(1_000_000);
    expect(begun).to.deep.equal(['/0']);
  });

  it('keep their bodies, also one that arrives in parts', async () => {
    const long = 'b'.repeat(300_000);
    client.write(post('/1', 'first') + get('/2') + post('/3', long).slice(0, 200_000));
    await until('the first is begun', () => held.length > 0);
    client.write(post('/3', long).slice(200_000) + post('/4', 'last'));
    await answerAll(4);
    expect(begun).to.deep.equal(['/1 first', '/2', `/3 ${long}`, '/4 last']);
  });

  it('are not answered when the caller has gone', async () => {
    client.write(Array.from({ length: 300 }, (_, number) => get(`/${number}`)).join(''));
    await until('the first is begun', () => held.length > 0);
    client.destroy();
    // The server notices it when it sends an answer.
    await until('the connection is closed', () => {
      release();
      return connection.closed;
    });
    expect(begun.length).to.be.below(10);
  });

  it('of other connections do not wait', async () => {
    client.write(get('/1') + get('/2'));
    await until('the first is begun', () => held.length > 0);
    const other = connect(server.port, '127.0.0.1');
    other.write(get('/other'));
    await until('another connection is served', () => begun.includes('/other'));
    other.destroy();
    expect(begun).to.deep.equal(['/1', '/other']);
  });
});
