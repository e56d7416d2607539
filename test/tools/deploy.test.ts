/** nginx and the shell read the files of deploy/ and the examples of docs/. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { findNginx } from '../../bin/programs';
import { temporaryFolder } from '../support/app';
import { createCertificate } from '../support/certificate';
import { examples } from '../support/docExamples';
import { startNginx } from '../support/nginx';
import { closedPort } from '../support/smtpServer';

const root = resolve(__dirname, '..', '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

describe('files for operators', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  /** What nginx says about a configuration, which is included where Debian's nginx includes it. */
  function askNginx(configuration: string): string {
    const { cert, key } = createCertificate('pads.example.org');
    const inFolder = (name: string): string => join(folder.path, name);
    writeFileSync(inFolder('cert.pem'), cert);
    writeFileSync(inFolder('key.pem'), key);
    const local = configuration
      .replace(/(ssl_certificate +)\S+;/g, `$1${inFolder('cert.pem')};`)
      .replace(/(ssl_certificate_key +)\S+;/g, `$1${inFolder('key.pem')};`);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const temporary = paths.map((name) => `${name}_temp_path ${inFolder(name)};`).join('\n');
    writeFileSync(
      inFolder('nginx.conf'),
      `pid ${inFolder('pid')};\nerror_log stderr warn;\nevents {}\nhttp {\n${temporary}\naccess_log off;\n${local}\n}`,
    );
    const args = ['-t', '-q', '-p', folder.path, '-c', inFolder('nginx.conf')];
    const { status, stderr } = spawnSync(findNginx() ?? 'nginx', args, { encoding: 'utf8' });
    return status === 0 ? stderr : `${status} ${stderr}`;
  }

  it('nginx accepts the configuration for several processes, with https', () => {
    expect(askNginx(read('deploy/nginx.conf'))).to.equal('');
  });

  it('nginx passes on no request for another host name', async () => {
    const nginx = await startNginx([`http://127.0.0.1:${await closedPort()}`]);
    const ask = (host: string) =>
      new Promise<number | string | undefined>((resolve) => {
        request(`${nginx.url}/mypads/api/passrecover`, { headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
          .end();
      });
    try {
      expect([
        await ask('127.0.0.1'),
        await ask('evil.example'),
        await ask('127.0.0.1.evil.example'),
      ]).to.deep.equal([502, 'ECONNRESET', 'ECONNRESET']);
    } finally {
      await nginx.stop();
    }
  });

  it('nginx accepts the examples of docs/install.md, at the root and below a path', () => {
    const [atRoot = '', below = '', ...more] = examples('install.md', 'nginx');
    expect(more).to.deep.equal([]);
    expect(atRoot).to.include('# ssl_certificate and ssl_certificate_key\n');
    const certificate = 'ssl_certificate x;\nssl_certificate_key x;\n';
    const whole = atRoot.replace(/# ssl_certificate .*\n/g, certificate);
    expect(askNginx(whole)).to.equal('');
    const replaced = whole.replace(/ {2}location \/ \{[^}]*\}\n/, below);
    // nginx refuses uploads of more than one megabyte by default, and Etherpad accepts fifty.
    for (const one of [atRoot, below, read('deploy/nginx.conf')])
      expect(one).to.include('client_max_body_size 50m;');
    expect(replaced).to.include('location /pads/ {').and.not.to.include('location / {');
    expect(askNginx(replaced)).to.equal('');
  });

  it('a shell accepts the commands of all pages', () => {
    const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
    const wrong = pages.flatMap((page) =>
      examples(page, 'sh').flatMap((script) => {
        const { status, stderr } = spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' });
        return status === 0 ? [] : [`${page}: ${stderr}${script}`];
      }),
    );
    expect(wrong).to.deep.equal([]);
  });
});
