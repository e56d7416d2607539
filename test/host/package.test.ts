/** What the package that operators install contains. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { packInto, projectRoot } from '../../bin/etherpad';

interface Bill {
  specVersion: string;
  metadata: { component: { name: string; version: string } };
  components: { name: string; version: string; purl: string; licenses: { license: { id: string } }[] }[];
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
});
