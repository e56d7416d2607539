/**
 * `npm run site` builds a site from docs/ into site/dist, with VitePress, which has a lock file of its own in site/.
 * It ends with an error at a link or a picture that leads nowhere.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withTitles } from './docsPages';
import { deadLinks } from './siteLinks';

const root = path.resolve(__dirname, '..');
const site = path.join(root, 'site');
const pages = path.join(site, 'pages');

/** Pages outside of docs/ that pages of docs/ link to. */
const others = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE'];
const othersBelow = ['bench/README.md', 'cluster/README.md', 'test/fixtures/README.md'];

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: site, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Everything at the place where links of docs/ look for it; what is no page goes into `public`. */
function assemble(): void {
  rmSync(pages, { recursive: true, force: true });
  const copy = (from: string, to = from): void => {
    mkdirSync(path.dirname(path.join(pages, to)), { recursive: true });
    cpSync(path.join(root, from), path.join(pages, to), { recursive: true });
  };
  for (const file of ['docs', ...others, ...othersBelow]) copy(file);
  for (const name of readdirSync(pages, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(pages, name);
    if (name.endsWith('.md')) writeFileSync(file, withTitles(readFileSync(file, 'utf8')));
  }
  copy('site/index.md', 'index.md');
  copy('deploy', 'public/deploy');
  copy('docs/prometheus', 'public/docs/prometheus');
  copy('docs/openacr.yaml', 'public/docs/openacr.yaml');
  copy('docs/images/folders.webp', 'public/images/folders.webp');
  copy('static/icons/logo.svg', 'public/logo.svg');
}

assemble();
if (!existsSync(path.join(site, 'node_modules', 'vitepress')))
  run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts']);
run(process.execPath, [path.join('node_modules', 'vitepress', 'bin', 'vitepress.js'), 'build']);
const dead = deadLinks(path.join(site, 'dist'));
for (const link of dead) console.error(`This link leads nowhere: ${link}`);
if (dead.length > 0) process.exit(1);
