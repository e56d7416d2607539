/**
 * A web server that sends the same answer to every request. Started by lists.ts as a separate process: clients have the
 * same work with it as with Etherpad, while Etherpad has none.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StoredAnswer {
  headers: http.OutgoingHttpHeaders;
  body: string;
}

process.on('message', ({ headers, body }: StoredAnswer) => {
  const bytes = Buffer.from(body, 'base64');
  const server = http.createServer((_request, answer) => answer.writeHead(200, headers).end(bytes));
  server.listen(0, '127.0.0.1', () =>
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
  );
});
process.on('disconnect', () => process.exit(0));
