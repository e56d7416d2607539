/**
 * A real nginx with the lines of docs/proxy-sign-in.md, in front of a server. A small program stands in for Authelia.
 */
import { createServer } from 'node:http';
import { examples } from './docExamples';
import { listen } from './listening';
import { type RunningProxy, startNginxWith } from './nginx';

/** The cookie with the name of the person whom Authelia knows. */
export const autheliaCookie = 'authelia_session';

export interface ProxyWithSignIn extends Pick<RunningProxy, 'url' | 'stop'> {
  /** Where Authelia signs people out. */
  signOutUrl: string;
  /** Addresses of people, by name, that are not `<name>@example.org`. */
  addresses: Map<string, string>;
}

/** The lines for live connections, from docs/install.md. */
const live = `
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection "upgrade";`;

/** `target`: the address of the server behind it. */
export async function startProxyWithSignIn(target: string): Promise<ProxyWithSignIn> {
  const addresses = new Map<string, string>();
  const authelia = createServer(({ url, headers }, response) => {
    const name = new RegExp(`\\b${autheliaCookie}=(\\w+)`).exec(headers.cookie ?? '')?.[1];
    if (url === '/logout') response.setHeader('Content-Type', 'text/html').write('<h1>Signed out</h1>');
    else if (url !== '/api/authz/auth-request') response.statusCode = 404;
    else if (name === undefined) response.writeHead(401, { Location: 'https://auth.example.org/' });
    else {
      const email = addresses.get(name) ?? `${name}@example.org`;
      response.setHeaders(new Headers({ 'Remote-User': name, 'Remote-Email': email }));
    }
    response.end();
  });
  const { port, stop } = await listen(authelia);
  const program = `127.0.0.1:${port}`;
  const [ask = '', headers = ''] = examples('proxy-sign-in.md', 'nginx');
  const nginx = await startNginxWith(
    (port) => `server {
      listen 127.0.0.1:${port};
      ${ask.replace('127.0.0.1:9091', program)}
      location / {
        proxy_pass ${target};
        ${headers}
        ${live}
      }
    }`,
  );
  return {
    url: nginx.url,
    addresses,
    signOutUrl: `http://${program}/logout`,
    async stop() {
      await nginx.stop();
      await stop();
    },
  };
}
