/** The folders import each other in one direction only, and comments are short enough to read. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';

const root = path.resolve(__dirname, '..', '..');

/** The folders from which each folder may import. Files of the same folder are always allowed. */
const basis = ['model'];
const stored = [...basis, 'model/store'];
const mayImport: Record<string, string[]> = {
  model: [],
  'model/store': basis,
  'model/passwords': stored,
  'model/index': stored,
  'model/mail': basis,
  'model/signin': [...basis, 'model/mail'],
  'model/settings': [...stored, 'model/mail', 'model/signin'],
  'model/access': [...stored, 'model/passwords', 'model/settings', 'model/signin'],
  'model/adminLog': stored,
  'model/accounts': [
    ...stored,
    'model/access',
    'model/index',
    'model/mail',
    'model/passwords',
    'model/settings',
  ],
  'model/jobs': [...stored],
  'model/removal': [...stored, 'model/access', 'model/accounts', 'model/index', 'model/jobs'],
  'model/folders': [
    ...stored,
    'model/access',
    'model/accounts',
    'model/passwords',
    'model/removal',
    'model/settings',
  ],
  'model/people': ['model'],
  'model/rules': ['model'],
  'model/padImport': ['model'],
  'model/checkup': ['model'],
  'model/composition': ['model'],
  'model/doctor': [...stored, 'model/accounts', 'model/removal', 'model/settings', 'model/signin'],
  web: ['model'],
  host: ['model'],
  cluster: ['model', 'host'],
  cli: ['model', 'host', 'cluster', 'locales'],
  api: ['model', 'web'],
  hooks: ['model', 'web', 'api', 'host', 'cluster'],
  'static/app': ['model', 'api', 'locales'],
  'static/pad': ['model', 'api', 'static/app'],
};
/** Files without these rules: they build the whole product, or have only types that all folders need. */
const exempt = new Set(['model/model.ts', 'model/ports.ts', 'model/events.ts']);
/** These folders and everything outside model/ may use all of model/. */
const allOfModel =
  /^(model\/(people|rules|padImport|checkup|composition)|web|host|cluster|cli|api|hooks|static)/;

const sources = Object.keys(mayImport).flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: folder !== 'model', encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ folder, file: path.posix.join(folder, name.split(path.sep).join('/')) })),
);

/** The files that a file imports, relative to the project, without extension. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/(?:from|import\() ?'(\.[^']*)'/g)].map(([, name]) =>
    path.posix.join(path.posix.dirname(file), name ?? ''),
  );
}

function isAllowed(folder: string, target: string): boolean {
  const place = path.posix.dirname(target);
  const within = (parent: string): boolean => place === parent || place.startsWith(`${parent}/`);
  if (folder === 'model' ? place === 'model' : within(folder)) return true;
  if (allOfModel.test(folder) && within('model')) return true;
  return (mayImport[folder] ?? []).some((other) => (other === 'model' ? place === 'model' : within(other)));
}

describe('the structure', () => {
  it('has no import against the direction of the folders', () => {
    const wrong = sources
      .filter(({ file }) => !exempt.has(file))
      .flatMap(({ folder, file }) =>
        importsOf(file)
          .filter((target) => !isAllowed(folder, target))
          .map((target) => `${file} imports ${target}`),
      );
    expect(sources.length).to.be.above(200);
    expect(wrong).to.deep.equal([]);
  });

  it('uses what is only for several processes in three files of hooks/, and in the command', () => {
    const users = sources
      .filter(({ folder }) => folder !== 'cluster')
      .filter(({ file }) => importsOf(file).some((target) => target.startsWith('cluster/')))
      .map(({ file }) => file);
    expect(users.sort()).to.deep.equal([
      'cli/openHost.ts',
      'hooks/index.ts',
      'hooks/lifecycle.ts',
      'hooks/runtime.ts',
    ]);
  });

  it('imports no code of the API into the page, only types', () => {
    const code = sources
      .filter(({ folder }) => folder.startsWith('static/'))
      .flatMap(({ file }) =>
        [
          ...readFileSync(path.join(root, file), 'utf8').matchAll(
            /^(?:im|ex)port\b[^;]*?from '([./]+\/api\/[^']+)'/gm,
          ),
        ]
          .filter(([statement]) => !/^(?:im|ex)port type\b/.test(statement))
          .map(([, name]) => `${file} imports ${name}`),
      );
    expect(code).to.deep.equal([]);
  });

  /** All committed files with comments, except generated ones: path and lines. */
  const commented = (ending: RegExp): { file: string; lines: string[] }[] =>
    execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
      .split('\0')
      .filter(
        (file) => ending.test(file) && !file.endsWith('generated.ts') && existsSync(path.join(root, file)),
      )
      .map((file) => ({ file, lines: readFileSync(path.join(root, file), 'utf8').split('\n') }));

  it('has comments of at most 120 characters a line', () => {
    const files = commented(/(?:\.(?:[cm]?[jt]s|tsx|css|ya?ml|conf|html|service)|\/Dockerfile)$/);
    expect(files.length).to.be.above(900);
    const tooLong = files.flatMap(({ file, lines }) =>
      // A disabled lint rule has its reason on the same line.
      lines.flatMap((line, index) =>
        line.length > 120 && /^\s*(?:\/\/|\/?\*|#|<!--)/.test(line) && !line.includes('biome-ignore')
          ? [`${file}:${index + 1}`]
          : [],
      ),
    );
    expect(tooLong).to.deep.equal([]);
  });

  it('has comments of at most three lines in the code', () => {
    const tooLong = commented(/\.(?:[cm]?[jt]s|tsx|css)$/).flatMap(({ file, lines }) => {
      const found: string[] = [];
      let length = 0;
      for (const [index, line] of [...lines, ''].entries()) {
        // The frame of a block comment does not count.
        const isFrame = /^\s*(?:\/\*\*?|\*\/)$/.test(line);
        if (/^\s*(?:\/\/|\/\*|\*)/.test(line) && !isFrame) length += 1;
        else {
          if (length > 3) found.push(`${file}:${index + 1 - length}`);
          length = 0;
        }
      }
      return found;
    });
    expect(tooLong).to.deep.equal([]);
  });

  it('starts work by a timer only through the port Schedule', () => {
    // What is left are time limits, and the ends of what is no longer used. docs/architecture.md says more.
    const allowed = [
      'api/middleware/download.ts',
      'api/middleware/upload.ts',
      'cluster/redis/locks.ts',
      'cluster/shortWait.ts',
      'hooks/lifecycle.ts',
      'model/mail/smtpConnection.ts',
      'model/schedule.ts',
      'model/signin/ldapPool.ts',
      'model/signin/ldapReply.ts',
      'model/timeLimit.ts',
    ];
    const found = sources
      .filter(({ folder }) => !folder.startsWith('static/'))
      .filter(({ file }) => /\bset(?:Timeout|Interval)\(/.test(readFileSync(path.join(root, file), 'utf8')))
      .map(({ file }) => file);
    expect(found.sort()).to.deep.equal(allowed);
  });

  it('has no circle of imports', () => {
    const files = new Set(sources.map(({ file }) => file));
    const graph = new Map(
      [...files].map((file) => [
        file,
        importsOf(file).flatMap((name) => {
          const found = [`${name}.ts`, `${name}.tsx`, `${name}/index.ts`].find((one) => files.has(one));
          return found === undefined ? [] : [found];
        }),
      ]),
    );
    const finished = new Set<string>();
    const circles: string[] = [];
    function visit(file: string, trail: string[]): void {
      if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
      if (trail.includes(file) || finished.has(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
      finished.add(file);
    }
    for (const file of files) visit(file, []);
    expect(circles).to.deep.equal([]);
  });
});
