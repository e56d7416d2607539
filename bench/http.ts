/** An HTTP client that does not decode answers, so that only the server is measured. */
import http from 'node:http';

const agent = new http.Agent({ keepAlive: true });

export interface Request {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
}

export interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** As received: compressed if the headers say so. */
  body: Buffer;
}

/** One request. Rejects when the connection breaks. */
export function send(url: string, wanted: Request = {}): Promise<Reply> {
  const { method = 'GET', headers = {}, body } = wanted;
  const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const json = payload && { 'content-type': 'application/json', 'content-length': String(payload.length) };
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent, method, headers: { ...json, ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.once('error', (error: NodeJS.ErrnoException) => {
      // The server closed the idle connection while the request was on its way. It has not seen the request.
      if (request.reusedSocket && error.code === 'ECONNRESET') resolve(send(url, wanted));
      else reject(error);
    });
    request.end(payload);
  });
}

/** Closes idle connections, so that the process can end. */
export function closeConnections(): void {
  agent.destroy();
}
