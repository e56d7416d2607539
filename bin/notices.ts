/**
 * Writes THIRD_PARTY_NOTICES and the bill of materials: the packages whose code is in the built files, with their
 * licences. The list comes from esbuild's report about its output, so it contains exactly what is shipped.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Metafile } from 'esbuild';

const root = path.join(__dirname, '..');

/** The licences of CONTRIBUTING.md, and the two exceptions that are shipped: sax (BlueOak) and wouter (Unlicense). */
const allowed = [
  'Apache-2.0',
  'MIT',
  'MIT-0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'ISC',
  'BlueOak-1.0.0',
  'Unlicense',
];

/** Licences of packages whose package.json does not name one. A file in the package does. */
const licencesInFiles: Record<string, string> = { precond: 'MIT' };

interface Manifest {
  name: string;
  version: string;
  license?: string;
  author?: string | { name: string };
}

interface Component {
  name: string;
  version: string;
  licence: string;
}

interface Notice extends Component {
  text: string;
}

/** The folders below node_modules whose code is in the output. */
function bundledPackages(metafiles: readonly Metafile[]): string[] {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const files = outputs.flatMap(({ inputs }) =>
    Object.keys(inputs).filter((file) => (inputs[file]?.bytesInOutput ?? 0) > 0),
  );
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))];
}

/** The text for packages without a licence file, whose package.json only names the licence. */
const mitText = (owner: string): string => `Copyright (c) ${owner}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

async function textOf(folder: string, { name, author }: Manifest, licence: string): Promise<string> {
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)(\.|$)/i.test(file));
  if (files.length > 0) {
    const texts = await Promise.all(files.sort().map((file) => readFile(path.join(folder, file), 'utf8')));
    return texts.map((text) => text.trim()).join('\n\n');
  }
  if (licence === 'Unlicense') return 'Released into the public domain, see https://unlicense.org/.';
  if (licence !== 'MIT') throw new Error(`${name} (${licence}) is bundled and has no file with its licence.`);
  return mitText(typeof author === 'object' ? author.name : (author ?? `the authors of ${name}`));
}

async function noticeOf(folder: string): Promise<Notice> {
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version } = manifest;
  const licence = manifest.license ?? licencesInFiles[name];
  if (licence === undefined || !allowed.includes(licence)) {
    throw new Error(`${name} ${version} is bundled and its licence is not allowed: ${licence ?? 'none'}.`);
  }
  return { name, version, licence, text: await textOf(folder, manifest, licence) };
}

const line = '-'.repeat(80);
const inOrder = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** A component of CycloneDX 1.6. `purl`: the package in the npm registry. */
const component = ({ name, version, licence }: Component) => ({
  type: 'library',
  'bom-ref': `${name}@${version}`,
  name,
  version,
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  licenses: [{ license: { id: licence } }],
});

/** The bill of materials in the format CycloneDX, without a time or a random number: a build repeats its bytes. */
async function billOfMaterials(packages: readonly Component[]): Promise<string> {
  const { name, version, license } = JSON.parse(
    await readFile(path.join(root, 'package.json'), 'utf8'),
  ) as Manifest;
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: component({ name, version, licence: license ?? '' }) },
    components: packages.map(component),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * Writes THIRD_PARTY_NOTICES and sbom.cdx.json. `metafiles`: esbuild's reports, from builds that ran in the project's
 * folder. Throws if a bundled package has a licence that is not allowed, or no licence text.
 */
export async function writeNotices(metafiles: readonly Metafile[]): Promise<void> {
  const folders = bundledPackages(metafiles);
  const found = await Promise.all(folders.map((folder) => noticeOf(path.join(root, folder))));
  const byTitle = new Map(found.map((notice) => [`${notice.name} ${notice.version}`, notice]));
  const sorted = [...byTitle].sort(([a], [b]) => inOrder(a, b));
  const parts = sorted.map(([title, { licence, text }]) => `${line}\n${title} (${licence})\n\n${text}\n`);
  const start = 'ep_mypads contains code of the packages below, under their own licences.';
  await writeFile(path.join(root, 'THIRD_PARTY_NOTICES'), `${start}\n\n${parts.join('\n')}`);
  await writeFile(
    path.join(root, 'sbom.cdx.json'),
    await billOfMaterials(sorted.map(([, notice]) => notice)),
  );
}
