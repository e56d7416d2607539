/** What the package that operators install contains. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { packInto, projectRoot } from '../../bin/etherpad';

interface Bill {
  specVersion: string;
  metadata: { component: { name: string; version: string } };
  components: { name: string; version: string; purl: string; licenses: { license: { id: string } }[] }[];
}

const run = promisify(execFile);

interface Packed {
  filename: string;
  size: number;
  files: { path: string }[];
}

/** Runs `npm pack` in a folder. `to`: where it writes the package. */
async function pack(project: string, to: string): Promise<Packed> {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', to];
  const { stdout } = await run('npm', args, { cwd: project, maxBuffer: 16 * 1024 * 1024 });
  const [packed] = Object.values<Packed>(JSON.parse(stdout));
  if (packed === undefined) throw new Error('npm has packed nothing');
  return packed;
}

/** Copies the sources and their packages, as a clone in which `npm ci` has run. */
async function copyProject(to: string): Promise<void> {
  const listed = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
    maxBuffer: 16 * 1024 * 1024,
  });
  for (const file of listed.stdout.split('\0').filter((name) => name !== ''))
    await cp(path.join(projectRoot, file), path.join(to, file));
  await run('cp', ['-a', '--reflink=auto', path.join(projectRoot, 'node_modules'), to]);
}

describe('the package', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'package-'));
    await packInto(folder);
  });
  after(() => rm(folder, { recursive: true }));

  const read = (name: string): Promise<string> => readFile(path.join(folder, name), 'utf8');

  it('lists the packages whose code it contains, with version and licence (CycloneDX)', async () => {
    const { specVersion, metadata, components } = JSON.parse(await read('sbom.cdx.json')) as Bill;
    const own = JSON.parse(await read('package.json')) as { name: string; version: string };
    expect(specVersion).to.equal('1.6');
    expect(metadata.component).to.include({ name: own.name, version: own.version });
    const lock = JSON.parse(await readFile(path.join(projectRoot, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    const locked = Object.entries(lock.packages).map(
      ([place, { version }]) => `${place.replace(/^.*node_modules\//, '')}@${version}`,
    );
    const notices = await read('THIRD_PARTY_NOTICES');
    expect(components.map(({ name }) => name)).to.include.members([
      'react',
      'express',
      '@tanstack/query-core',
    ]);
    for (const { name, version, purl, licenses } of components) {
      expect(locked, 'the lock file').to.include(`${name}@${version}`);
      expect(purl).to.equal(`pkg:npm/${name.replace('@', '%40')}@${version}`);
      expect(notices, 'the notices').to.include(`\n${name} ${version} (${licenses[0]?.license.id})\n`);
    }
    expect(notices.match(/^-{80}$/gm)).to.have.length(components.length);
  });

  it('has less than 3.1 MB, and only files for which docs/architecture.md gives a reason', async () => {
    const { size, files } = await pack(projectRoot, folder);
    expect(size).to.be.below(3_100_000);
    const docs = await readFile(path.join(projectRoot, 'docs', 'architecture.md'), 'utf8');
    const [, section = ''] = /\n## What the package contains\n(.*?)\n## /s.exec(docs) ?? [];
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    );
    const isNamed = (file: string) =>
      named.some((name) => file === name || (name.endsWith('/') && file.startsWith(name)));
    expect(files.map((file) => file.path).filter((file) => !isNamed(file))).to.deep.equal([]);
    const isUsed = (name: string) => files.some((file) => file.path === name || file.path.startsWith(name));
    expect(named.filter((name) => !isUsed(name))).to.deep.equal([]);
  });

  it('contains no path of the folder in which it was built', async () => {
    const folders = (await readdir(projectRoot, { withFileTypes: true })).filter((one) => one.isDirectory());
    const paths = folders.map(({ name }) => path.join(projectRoot, name));
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const wrong: string[] = [];
    for (const file of files.filter((one) => one.isFile())) {
      const place = path.join(file.parentPath, file.name);
      const text = await readFile(place, 'latin1');
      if (paths.some((one) => text.includes(one))) wrong.push(path.relative(folder, place));
    }
    expect(wrong).to.deep.equal([]);
  });

  /** Only with `BUILD_TWICE=1`, as in the workflow of a release: it takes 45 s of processor time. */
  async function buildElsewhere(): Promise<void> {
    const copy = path.join(folder, 'a copy of the project');
    await mkdir(copy);
    await copyProject(copy);
    await run(process.execPath, ['--import', 'tsx', 'bin/build.ts'], { cwd: copy });
    const digests = async (project: string, { files }: Packed) =>
      Promise.all(
        files.map(async (file) => {
          const bytes = await readFile(path.join(project, file.path));
          return `${file.path} ${createHash('sha256').update(bytes).digest('hex')}`;
        }),
      );
    const here = await pack(projectRoot, folder);
    const bytes = await readFile(path.join(folder, here.filename));
    const there = await pack(copy, copy);
    expect(await digests(copy, there)).to.deep.equal(await digests(projectRoot, here));
    expect(bytes.equals(await readFile(path.join(copy, there.filename))), 'the packed file').to.equal(true);
    await rm(copy, { recursive: true });
  }
  if (process.env.BUILD_TWICE)
    it('has the same bytes when it is built in another folder', buildElsewhere).timeout(600_000);

  it('is installed without a compiler and without a registry, because it needs no other package', async () => {
    const { filename } = await pack(projectRoot, folder);
    const server = path.join(folder, 'server');
    await mkdir(server);
    await writeFile(path.join(server, 'package.json'), '{ "private": true }');
    // No program is found but Node and npm, and nothing answers at the registry.
    const programs = path.join(folder, 'programs');
    await mkdir(programs);
    const { stdout } = await run('which', ['npm']);
    const npm = await realpath(stdout.trim());
    await symlink(process.execPath, path.join(programs, 'node'));
    const env = {
      HOME: folder,
      PATH: programs,
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_audit: 'false',
    };
    await run(process.execPath, [npm, 'install', path.join(folder, filename)], { cwd: server, env });
    const command = path.join(server, 'node_modules', '.bin', 'ep-mypads');
    const said = await run(command, ['doctor'], { cwd: server, env }).catch((error) => error.stderr);
    expect(said).to.match(/Etherpad/);
  });
});
