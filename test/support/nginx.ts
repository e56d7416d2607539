/** A real nginx with deploy/nginx.conf, in front of processes of Etherpad. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processLines, replaceIn } from '../../bin/chartNginx';
import { findNginx } from '../../bin/programs';
import { freePort } from './freePort';
import { startProxyProgram } from './proxyProgram';

/** What sends the requests for a pad to one process. */
export interface RunningProxy {
  url: string;
  /** Lines of its access log: `<status> <method> <address> <addresses of the processes that were tried>`. */
  requests(): string[];
  stop(): Promise<void>;
}

const shipped = path.resolve(__dirname, '../../deploy/nginx.conf');

/** The shipped configuration with our processes and without https. */
function configuration(targets: string[], port: number): string {
  const processes = targets
    .map((url) => `server ${new URL(url).host} max_fails=3 fail_timeout=2s;`)
    .join('\n');
  let text = readFileSync(shipped, 'utf8');
  text = replaceIn(text, processLines, `${processes}\n`);
  text = replaceIn(text, / *ssl_certificate[^\n]*\n/g, '');
  text = replaceIn(text, /server_name pads\.example\.org;/, 'server_name 127.0.0.1;');
  return replaceIn(text, /listen 443 ssl/g, `listen 127.0.0.1:${port}`);
}

/** `targets`: addresses of the processes. */
export const startNginx = (targets: string[]): Promise<RunningProxy> =>
  startNginxWith((port) => configuration(targets, port));

/** `servers`: the configuration of what answers on the port. */
export async function startNginxWith(servers: (port: number) => string): Promise<RunningProxy> {
  const program = findNginx();
  if (program === undefined) throw new Error('nginx is missing');
  const folder = mkdtempSync(path.join(tmpdir(), 'mypads-nginx-'));
  const port = await freePort();
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const inFolder = (name: string): string => path.join(folder, name);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${inFolder(name)};`)
    .join('\n');
  writeFileSync(inFolder('processes.conf'), servers(port));
  const main = `${user}
    daemon off;
    worker_processes 2;
    pid ${inFolder('pid')};
    error_log ${inFolder('error.log')} warn;
    worker_rlimit_nofile 40000;
    events { worker_connections 20000; }
    http {
      ${temporary}
      log_format processes '$status $request_method $request_uri $upstream_addr';
      access_log ${inFolder('access.log')} processes;
      include ${inFolder('processes.conf')};
    }`;
  writeFileSync(inFolder('nginx.conf'), main);
  const url = `http://127.0.0.1:${port}`;
  const stop = await startProxyProgram({
    name: 'nginx',
    program,
    args: ['-p', folder, '-c', inFolder('nginx.conf')],
    folder,
    isReady: () =>
      fetch(url, { redirect: 'manual' }).then(
        async (answer) => {
          await answer.body?.cancel();
          return true;
        },
        () => false,
      ),
  });
  const requests = (): string[] => readFileSync(inFolder('access.log'), 'utf8').trim().split('\n');
  return { url, requests, stop };
}
