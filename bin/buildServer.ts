/**
 * Builds what Etherpad loads: the entry point (index.ts), one CommonJS file with the server and its dependencies, the
 * hashing worker, the thread of the index, the LDAP process, the client of Redis, the reader of ZIPs, the texts of each
 * language, and the script in the editor. Also builds the command `ep-mypads`.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants as zlib } from 'node:zlib';
import { type BuildOptions, type BuildResult, build, type Metafile, type Plugin } from 'esbuild';
import { languageCodes } from '../model/languages';

const root = path.resolve(__dirname, '..');

/** The largest dist/server.js, in bytes. */
const serverBudget = 3_100_000;

const wasm = 'node-sqlite3-wasm.wasm';

/** Compressed as well as brotli can: what it needs for that is more memory, also for unpacking. */
const brotli = (contents: Uint8Array): Buffer =>
  brotliCompressSync(contents, {
    params: {
      [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY,
      [zlib.BROTLI_PARAM_LGWIN]: zlib.BROTLI_MAX_WINDOW_BITS,
    },
  });

const common = { absWorkingDir: root, bundle: true, metafile: true } satisfies BuildOptions;

const server = {
  ...common,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
  legalComments: 'eof',
  // V8 keeps the text of a script in memory. Names stay, so that errors in logs can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  outdir: 'dist',
} satisfies BuildOptions;

/** The texts of the page in a language, by key, as far as they are wanted. */
async function pageTexts(code: string, wanted: RegExp): Promise<Record<string, string>> {
  const texts = JSON.parse(await readFile(path.join(root, 'locales', `${code}.json`), 'utf8'));
  return Object.fromEntries(Object.entries<string>(texts).filter(([key]) => wanted.test(key)));
}

/** The keys of the page that the server asks for with `pageText`. */
const serverTexts =
  /^((BACKEND\.ERROR|ERROR_PAGE|exportFile)\..*|login\.forgotten|(requests|exports)\.title)$/;

const folderOfTexts = path.join(root, 'dist', 'texts');

const writeTexts = (name: string, contents: unknown): Promise<void> =>
  writeFile(path.join(folderOfTexts, `${name}.json.br`), brotli(Buffer.from(JSON.stringify(contents))));

/**
 * One compressed file for each language, which the server reads at its first use, and one with the keys: a language has
 * its texts in their order.
 */
async function writeLanguageFiles(): Promise<void> {
  await mkdir(folderOfTexts, { recursive: true });
  const keys = Object.keys(await pageTexts('en', serverTexts));
  await writeTexts('keys', keys);
  for (const code of languageCodes) {
    const mail = JSON.parse(await readFile(path.join(root, 'templates', 'mail', `${code}.json`), 'utf8'));
    const page = await pageTexts(code, serverTexts);
    await writeTexts(code, { page: keys.map((key) => page[key]), mail });
  }
}

/**
 * Reads the files of `writeLanguageFiles` instead of those in locales/ and templates/mail/. While an operator replaces
 * the package, files are missing: a pad is refused in English then, and the error does not end Etherpad.
 */
const languageFiles: Plugin = {
  name: 'languageFiles',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]model[\\/]languageFile\.ts$/ }, () => ({
      contents: `import { readFileSync } from 'node:fs';
        import { brotliDecompressSync } from 'node:zlib';
        const unpack = (name) =>
          JSON.parse(brotliDecompressSync(readFileSync(__dirname + '/texts/' + name + '.json.br')));
        const keys = unpack('keys');
        const read = (code) => {
          const { page, mail } = unpack(code);
          return { page: Object.fromEntries(keys.map((key, index) => [key, page[index]])), mail };
        };
        const known = new Map([['en', read('en')]]);
        export const languageFile = (code) => {
          try {
            if (!known.has(code)) known.set(code, read(code));
            return known.get(code);
          } catch {
            return known.get('en');
          }
        };`,
    }));
  },
};

const isLanguage = (code: string): boolean => languageCodes.some((one) => one === code);

/**
 * The script in the editor has few texts, so it contains them in all languages. esbuild takes all files of locales/,
 * also what qqq.json says to translators.
 */
export const editorTexts: Plugin = {
  name: 'editorTexts',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]locales[\\/][\w-]+\.json$/ }, async ({ path: file }) => {
      const { name: code } = path.parse(file);
      const texts = isLanguage(code) ? await pageTexts(code, /^editor\.moved/) : {};
      return { contents: JSON.stringify(texts), loader: 'json' };
    });
  },
};

/**
 * What is left to parse in ASN.1: a signature of ECDSA is a sequence (0x30) of the integers (0x02) `r` and `s`, each
 * with its length before it. That of the sequence has a second byte (0x81) with the curve P-521.
 */
const signatureParser = `exports.AsnParser = {
  parse(bytes) {
    let place = bytes[1] === 0x81 ? 3 : 2;
    const integer = () => {
      const length = bytes[place + 1];
      if (bytes[place] !== 0x02 || !(length > 0 && length < 0x80)) throw new Error('no signature of ECDSA');
      place += 2 + length;
      return bytes.slice(place - length, place);
    };
    const [r, s] = bytes[0] === 0x30 ? [integer(), integer()] : [];
    if (place !== bytes.length) throw new Error('no signature of ECDSA');
    return { r, s };
  },
};`;

/**
 * Large parts of packages that nothing here needs: `name` in files that match `from`. They become empty, or `instead`.
 */
const unusedParts: readonly { from: RegExp; name: RegExp; instead?: string }[] = [
  // They verify the certificates of devices. We ask for no attestation.
  { from: /./, name: /^(@peculiar\/x509|reflect-metadata)$/ },
  {
    from: /@simplewebauthn\/server\/esm\//,
    name: /\/(getCertificateInfo|isCertRevoked|validate(CertificatePath|ExtFIDO\w+)|convertX509\w+|verifyMDSBlob)\.js$/,
  },
  {
    from: /@simplewebauthn\/server\/esm\//,
    name: /\/(verifyAttestationWithMetadata|defaultRootCerts\/[\w-]+)\.js$/,
  },
  { from: /verifyRegistrationResponse\.js$/, name: /\/verifyAttestation(Android\w+|Apple|TPM|FIDOU2F)\.js$/ },
  { from: /unwrapEC2Signature\.js$/, name: /^@peculiar\/asn1-ecc$/ },
  { from: /unwrapEC2Signature\.js$/, name: /^@peculiar\/asn1-schema$/, instead: signatureParser },
  // Tables of encodings. Bodies are JSON or forms, which are in UTF-8.
  { from: /iconv-lite\/encodings\/index\.js$/, name: /^\.\/(dbcs-data|sbcs-data|sbcs-data-generated)$/ },
  // It writes XML. The answers of CAS servers are only read.
  { from: /xml2js\/lib\//, name: /^xmlbuilder$/ },
  // Traces in metrics, which are not switched on.
  { from: /prom-client\/lib\//, name: /^@opentelemetry\/api$/ },
  // Types of files. Mails have none attached, and no mail server is named by its brand.
  {
    from: /nodemailer\/lib\//,
    name: /\/mime-types(\.js)?$/,
    instead: `module.exports = {
      detectMimeType: () => 'application/octet-stream',
      detectExtension: () => 'bin',
    };`,
  },
  { from: /nodemailer\/lib\/well-known\//, name: /\/services\.json$/ },
  // Other ways to send than SMTP, and signatures, which the mail server adds.
  { from: /nodemailer\/lib\//, name: /\/(dkim|ses-transport|sendmail-transport|xoauth2)$/ },
  // Metrics that other programs fetch need no summaries, and are sent nowhere.
  { from: /prom-client\/index\.js$/, name: /\/(summary|pushgateway|cluster)$/ },
  // What it would keep. We keep no password.
  { from: /ldapauth-fork\//, name: /^(bcryptjs|\.\/cache)$/ },
  // Redis Cluster, which our settings do not know.
  { from: /ioredis\/built\/(index|Redis)\.js$/, name: /^\.\/cluster$/ },
  // It asks whether Node is newer than 8.0, 15.7 and 16.9.
  { from: /jsonwebtoken\//, name: /^semver$/, instead: 'exports.satisfies = () => true;' },
  // Limits that other databases keep.
  {
    from: /rate-limiter-flexible\/index\.js$/,
    name: /^\.\/lib\/\w*(Queue|Wrapper|Bursty|Union|Mongo|SQL|Postgres|Cluster|Memcache|Dynamo|Prisma|Drizzle|Valkey|Etcd)\w*$/,
  },
];

/** Of the table of 2,500 types only those that a server of pages and files sends or reads. */
const usedTypes =
  /^(text|image|font|multipart)\/|^application\/(json|javascript|xml|pdf|zip|octet-stream|x-www-form)/;

const withoutUnusedParts: Plugin = {
  name: 'withoutUnusedParts',
  setup({ onResolve, onLoad }) {
    unusedParts.forEach(({ from, name }, index) => {
      onResolve({ filter: name }, ({ path: wanted, importer }) =>
        from.test(importer.replaceAll('\\', '/'))
          ? { path: wanted, namespace: 'unused', pluginData: index }
          : undefined,
      );
    });
    onLoad({ filter: /./, namespace: 'unused' }, ({ pluginData }) => ({
      contents: unusedParts[pluginData]?.instead ?? 'module.exports = {};',
    }));
    onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, async ({ path: file }) => {
      const types = Object.entries<object>(JSON.parse(await readFile(file, 'utf8')));
      const used = Object.fromEntries(types.filter(([type]) => usedTypes.test(type)));
      return { contents: JSON.stringify(used), loader: 'json' };
    });
  },
};

/** Stores the program of SQLite compressed. It is unpacked at its first use, and only by Node before 22.5. */
const compressedWasm: Plugin = {
  name: 'compressedWasm',
  setup({ onLoad }) {
    onLoad({ filter: /node-sqlite3-wasm\.js$/ }, async ({ path: file }) => {
      const before = await readFile(file, 'utf8');
      const after = before
        .replace(`locateFile("${wasm}")`, `locateFile("${wasm}.br")`)
        .replace('return readBinary(file)', 'return require("zlib").brotliDecompressSync(readBinary(file))');
      if (after.length !== before.length + 41) throw new Error(`${file} loads ${wasm} in another way`);
      return { contents: after };
    });
  },
};

/** Of the texts of the page, `ep-mypads doctor --online` prints those of the checks. */
const checkTexts: Plugin = {
  name: 'checkTexts',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]locales[\\/]en\.json$/ }, async () => ({
      contents: JSON.stringify(await pageTexts('en', /^admin\.checkup\./)),
      loader: 'json',
    }));
  },
};

/** Builds the command `ep-mypads` as `doctor.js` in this folder. */
export function buildCommand(outdir: string): Promise<BuildResult<{ metafile: true }>> {
  return build({
    ...server,
    entryPoints: { doctor: 'cli/doctor.ts' },
    external: ['./redisClient.js', './unzip.js'],
    banner: { js: '#!/usr/bin/env node' },
    outdir,
    plugins: [checkTexts, withoutUnusedParts],
  });
}

/**
 * Throws if dist/server.js is too long. V8 keeps the text of a script in memory: one byte for each character, or two if
 * any of them is not in Latin-1.
 */
async function checkServerSize(): Promise<void> {
  const text = await readFile(path.join(root, 'dist/server.js'), 'utf8');
  if (text.length > serverBudget)
    throw new Error(`dist/server.js has ${text.length} bytes of at most ${serverBudget}`);
  const [wide] = /.{0,40}[^\0-\xff]/.exec(text) ?? [];
  if (wide) throw new Error(`dist/server.js has characters beyond Latin-1: ${wide}`);
}

/** Deletes files of earlier builds, so that they do not get into the package. */
async function removeOthers(metafiles: readonly Metafile[]): Promise<void> {
  const built = new Set([`dist/${wasm}.br`, ...metafiles.flatMap(({ outputs }) => Object.keys(outputs))]);
  for (const folder of ['dist', 'static/dist/pad']) {
    for (const file of await readdir(path.join(root, folder)))
      if (!built.has(`${folder}/${file}`)) await rm(path.join(root, folder, file), { recursive: true });
  }
}

/**
 * Builds dist/ and static/dist/pad/, and returns what is in the files. Throws if a file does not compile, or if
 * dist/server.js is too big.
 */
export async function buildServer(): Promise<Metafile[]> {
  const results: BuildResult<{ metafile: true }>[] = await Promise.all([
    build({ ...server, entryPoints: { index: 'index.ts' }, external: ['./server.js'] }),
    build({
      ...server,
      entryPoints: {
        server: 'hooks/index.ts',
        passwordWorker: 'model/passwords/worker.ts',
        indexWorker: 'host/index/worker.ts',
        ldapConversation: 'model/signin/ldapConversation.ts',
      },
      external: ['ep_etherpad-lite/*', './redisClient.js', './unzip.js'],
      plugins: [languageFiles, compressedWasm, withoutUnusedParts],
    }),
    build({
      ...server,
      entryPoints: { redisClient: 'cluster/redis/redisClient.ts', unzip: 'model/padImport/unzip.ts' },
      plugins: [withoutUnusedParts],
    }),
    buildCommand(path.join(root, 'dist')),
    build({
      ...common,
      platform: 'browser',
      // Etherpad 1.8.14 minifies the script with an old tool that knows only ES2015.
      target: 'es2015',
      format: 'cjs',
      logLevel: 'warning',
      plugins: [editorTexts],
      entryPoints: ['static/pad/hooks.ts'],
      outdir: 'static/dist/pad',
    }),
  ]);
  // The program reads it from its own folder.
  const program = await readFile(require.resolve(`node-sqlite3-wasm/dist/${wasm}`));
  await writeFile(path.join(root, 'dist', `${wasm}.br`), brotli(program));
  const metafiles = results.map(({ metafile }) => metafile);
  await removeOthers(metafiles);
  await writeLanguageFiles();
  await checkServerSize();
  return metafiles;
}
