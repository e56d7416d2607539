/** Whether requests that name another host than ours reach this server. */
import http from 'node:http';
import https from 'node:https';

/** No server has this name (RFC 2606). */
const otherName = 'other-name.invalid';
const timeLimit = 5_000;

/**
 * Sends a request to `rootUrl` with another name in its `Host` header. True if it is answered as by this server. False
 * if it is refused, or if `rootUrl` cannot be reached from here.
 */
export function answersToOtherName(rootUrl: string): Promise<boolean> {
  const url = new URL(`${rootUrl}/mypads/api/cache/check`);
  const client = url.protocol === 'https:' ? https : http;
  // Nothing secret is sent, so a certificate that this machine does not know is no reason to stop.
  const options = {
    headers: { host: otherName },
    rejectUnauthorized: false,
    agent: false,
    signal: AbortSignal.timeout(timeLimit),
  };
  return new Promise((resolve) => {
    client
      .get(url, options, (answer) => {
        resolve(answer.statusCode === 200 && /^application\/json/.test(answer.headers['content-type'] ?? ''));
        answer.destroy();
      })
      .on('error', () => resolve(false));
  });
}
