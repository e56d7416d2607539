/** A reverse proxy as docs/install.md sets up nginx: removes a path, and sends scheme and address of the client. */
import { once } from 'node:events';
import http, { type IncomingMessage, type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificate } from './certificate';
import { type RunningEtherpad, request } from './etherpad';

export interface ProxyOptions {
  /** The path below which it serves the Etherpad, as `/pads`; `''` for the root of its host. */
  folder?: string;
  /** Headers that it sets in every request, also if the caller has sent them. `undefined` removes a header. */
  headers?: (request: IncomingMessage) => Record<string, string | undefined>;
  /** With a certificate, the proxy uses https. */
  certificate?: Certificate;
}

export interface ReverseProxy {
  /** The Etherpad as people reach it: `url` has the path. */
  etherpad: RunningEtherpad;
  /** Requested paths that are not below `folder`. */
  outsidePaths: string[];
  close(): Promise<void>;
}

/** The headers that a proxy for https sets. */
export const httpsHeaders =
  (host: string, folder = '') =>
  ({ socket }: IncomingMessage): Record<string, string | undefined> => ({
    'x-forwarded-for': socket.remoteAddress ?? '',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': host,
    'x-forwarded-prefix': folder === '' ? undefined : folder,
  });

export async function startReverseProxy(
  target: RunningEtherpad,
  { folder = '', headers: setHeaders = () => ({}), certificate }: ProxyOptions = {},
): Promise<ReverseProxy> {
  const outsidePaths: string[] = [];
  const { hostname, port: targetPort } = new URL(target.url);

  /** The same request for Etherpad; `undefined` if its path is not below `folder`. */
  function onward(incoming: IncomingMessage): http.RequestOptions | undefined {
    const { url = '', method } = incoming;
    if (!url.startsWith(`${folder}/`)) {
      outsidePaths.push(url);
      return undefined;
    }
    const headers: http.OutgoingHttpHeaders = { ...incoming.headers };
    for (const [name, value] of Object.entries(setHeaders(incoming))) {
      if (value === undefined) delete headers[name];
      else headers[name] = value;
    }
    return { hostname, port: targetPort, method, path: url.slice(folder.length), headers };
  }

  const answer: RequestListener = (incoming, response) => {
    const options = onward(incoming);
    if (!options) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not ours\n');
      return;
    }
    const passed = http.request(options, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(response);
    });
    passed.on('error', () => response.destroy());
    incoming.pipe(passed);
  };
  const server = certificate ? https.createServer(certificate, answer) : http.createServer(answer);

  server.on('upgrade', (incoming: IncomingMessage, near: Socket, head: Buffer) => {
    const options = onward(incoming);
    if (!options) return near.destroy();
    const passed = http.request(options);
    passed.on('upgrade', (answered, far, first) => {
      const lines = [`HTTP/1.1 101 ${answered.statusMessage}`];
      for (let index = 0; index < answered.rawHeaders.length; index += 2) {
        lines.push(`${answered.rawHeaders[index]}: ${answered.rawHeaders[index + 1]}`);
      }
      near.write(`${lines.join('\r\n')}\r\n\r\n`);
      if (first.length > 0) near.write(first);
      if (head.length > 0) far.write(head);
      near.pipe(far).pipe(near);
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
    });
    passed.on('response', () => near.destroy());
    passed.on('error', () => near.destroy());
    passed.end();
  });

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `${certificate ? 'https' : 'http'}://127.0.0.1:${port}${folder}`;
  return {
    etherpad: {
      ...target,
      url,
      get: (place, call) => request(`${url}${place}`, call),
      api: (method, place, call) => request(`${url}/mypads/api/${place}`, { ...call, method }),
    },
    outsidePaths,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
