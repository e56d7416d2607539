/**
 * A real LDAP directory: slapd as a private process with its own configuration, database and certificate in a temporary
 * folder, on free ports of 127.0.0.1. Fails when the Debian package slapd is missing.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { Attribute, Change, type Client, createClient } from 'ldapjs';
import { conversation } from '../../model/signin/ldapPool';
import { createCertificate } from './certificate';
import { freePort } from './freePort';
import { isSuspended } from './processState';
import { until } from './waiting';

export interface LdapPerson {
  uid: string;
  password?: string;
  givenName?: string[];
  sn: string;
  mail?: string[];
  employeeType?: string[];
  /** The result that slapd's retcode overlay returns for a bind as this person. */
  misbehaviour?: { code: number; text: string; disconnect?: true };
  /** `ou=open` may be searched by everybody, also without a name. */
  in?: 'open';
}

const activeDirectory = (data: string): string =>
  `80090308: LdapErr: DSID-0C090446, comment: AcceptSecurityContext error, data ${data}, v3839`;

/** Who is in the directory. */
export const people = {
  alice: {
    uid: 'alice',
    password: 'down the rabbit hole',
    givenName: ['Alice'],
    sn: 'Liddell',
    mail: ['alice@example.org'],
  },
  renee: {
    uid: 'renée',
    password: 'pässwörd ✓ 🔑',
    givenName: ['Renée'],
    sn: 'Lefèvre-Ñandú',
    mail: ['renee@example.org'],
  },
  bob: {
    uid: 'bob',
    password: 'builder',
    givenName: ['Bob', 'Robert'],
    sn: 'Stone',
    mail: ['bob@example.org', 'bob.stone@example.org'],
  },
  carol: { uid: 'carol', password: 'no address', sn: 'None' },
  dave: { uid: 'dave', password: 'no address', sn: 'Broken', mail: ['<b>dave</b>@nowhere'] },
  erin: { uid: 'erin', sn: 'Passwordless', mail: ['erin@example.org'] },
  special: {
    uid: 'o*brien (the\\2nd) #1, "x"/y',
    password: 'escaped',
    sn: 'O*Brien',
    mail: ['obrien@example.org'],
  },
  fox: { uid: '🦊fox', password: 'emoji', sn: 'Fox', mail: ['fox@example.org'] },
  backslash: { uid: '\\2a', password: 'not a star', sn: 'Backslash', mail: ['backslash@example.org'] },
  star: { uid: '*', password: 'a star', sn: 'Star', mail: ['star@example.org'] },
  twinOne: { uid: 'twin1', password: 'same', sn: 'Twin', mail: ['twins@example.org'] },
  twinTwo: { uid: 'twin2', password: 'same', sn: 'Twin', mail: ['twins@example.org'] },
  wordy: {
    uid: 'wordy',
    password: 'many words',
    givenName: ['x'.repeat(300)],
    sn: 'Wordy',
    mail: ['wordy@example.org'],
  },
  adWrongPassword: {
    uid: 'ad-wrong',
    sn: 'Directory',
    misbehaviour: { code: 49, text: activeDirectory('52e') },
  },
  adUnknown: { uid: 'ad-unknown', sn: 'Directory', misbehaviour: { code: 49, text: activeDirectory('525') } },
  oddCode: { uid: 'odd-code', sn: 'Odd', misbehaviour: { code: 4_242, text: 'no such code' } },
  busy: { uid: 'busy', sn: 'Busy', misbehaviour: { code: 51, text: 'busy' } },
  referred: { uid: 'referred', sn: 'Referred', misbehaviour: { code: 10, text: 'ask somebody else' } },
  frodo: {
    uid: 'frodo',
    password: 'my precious',
    givenName: ['Frodo'],
    sn: 'Baggins',
    mail: ['frodo@example.org'],
    in: 'open',
  },
  proto: { uid: '__proto__', password: 'polluted', sn: 'Proto', mail: ['proto@example.org'] },
  hangUp: { uid: 'hang-up', sn: 'Hang', misbehaviour: { code: 0, text: 'bye', disconnect: true } },
} satisfies Record<string, LdapPerson>;

const base = 'dc=example,dc=org';
const service = { dn: `cn=mypads,${base}`, password: 'service secret' };
/** Another service account, which gets at most 200 entries of a search. The default of OpenLDAP is 500. */
export const limitedService = { bindDN: `cn=limited,${base}`, bindCredentials: service.password };
const root = { dn: `cn=root,${base}`, password: 'root secret' };

/** `userAccountControl` is that of Active Directory. */
type ChangedAttribute = 'mail' | 'givenName' | 'sn' | 'employeeType' | 'userAccountControl';

export interface LdapServer {
  /** ldap:// and ldaps:// addresses. */
  url: string;
  secureUrl: string;
  /** PEM of the server's own certificate. */
  certificate: string;
  /** `authLdapSettings` that work, changed by `changes`; a change of `undefined` leaves the key out. */
  settings(changes?: Record<string, unknown>): Record<string, unknown>;
  /** Resolves when no connection is open. */
  quiet(): Promise<void>;
  /** Connections that were made since the start. */
  connections(): number;
  /**
   * Changes attributes of a person of `people`: `{ mail: ['new@example.org'] }`. An empty list removes an attribute.
   */
  change(person: LdapPerson, values: Partial<Record<ChangedAttribute, string[]>>): Promise<void>;
  /** Gives a person of `people` another login. */
  rename(person: LdapPerson, uid: string): Promise<void>;
  remove(person: LdapPerson): Promise<void>;
  /** Brings back somebody who was removed. */
  add(person: LdapPerson): Promise<void>;
  /** Makes a group of these people, who have its name (DN) in `memberOf` until it is removed. Returns the name. */
  addGroup(cn: string, members: readonly LdapPerson[]): Promise<string>;
  removeGroup(name: string): Promise<void>;
  /** Suspends the process: it accepts connections and never answers. Resolves when all its threads have stopped. */
  freeze(): Promise<void>;
  thaw(): void;
  stop(): Promise<void>;
}

function encoded(name: string, value: string): string {
  return `${name}:: ${Buffer.from(value, 'utf8').toString('base64')}`;
}

/** The name (DN) of a person. Every byte is written as a hexadecimal pair, as RFC 4514 allows. */
function nameOf(person: LdapPerson): string {
  const escaped = [...Buffer.from(person.uid, 'utf8')]
    .map((byte) => `\\${byte.toString(16).padStart(2, '0')}`)
    .join('');
  return `uid=${escaped},ou=${person.in ?? (person.misbehaviour ? 'strange' : 'people')},${base}`;
}

function entryOf(person: LdapPerson): string {
  return [
    encoded('dn', nameOf(person)),
    'objectClass: inetOrgPerson',
    'objectClass: user',
    encoded('uid', person.uid),
    encoded('cn', person.uid),
    encoded('sn', person.sn),
    ...(person.givenName ?? []).map((value) => encoded('givenName', value)),
    ...(person.mail ?? []).map((value) => encoded('mail', value)),
    ...(person.employeeType ?? []).map((value) => encoded('employeeType', value)),
    ...(person.password === undefined ? [] : [encoded('userPassword', person.password)]),
  ].join('\n');
}

/** The entries as LDIF. `elsewhere`: the address of another directory, to which a part of this one refers. */
function seed(elsewhere: string, more: readonly LdapPerson[]): string {
  const parents = [
    `dn: ${base}\nobjectClass: organization\nobjectClass: dcObject\ndc: example\no: Example`,
    ...['people', 'strange', 'open'].map(
      (ou) => `dn: ou=${ou},${base}\nobjectClass: organizationalUnit\nou: ${ou}`,
    ),
    `dn: ou=elsewhere,ou=people,${base}\nobjectClass: referral\nobjectClass: extensibleObject\nou: elsewhere\nref: ${elsewhere}/ou=people,${base}`,
    ...[service.dn, limitedService.bindDN].map(
      (dn) =>
        `dn: ${dn}\nobjectClass: organizationalRole\nobjectClass: simpleSecurityObject\ncn: ${dn.split(/[=,]/)[1]}\n${encoded('userPassword', service.password)}`,
    ),
  ];
  return `${[...parents, ...[...Object.values<LdapPerson>(people), ...more].map(entryOf)].join('\n\n')}\n`;
}

/** The result of a bind as somebody in `ou=strange`. Searches begin above `ou=strange`, so they find these people. */
function answerTo({ uid, misbehaviour }: LdapPerson): string[] {
  if (!misbehaviour) return [];
  const { code, text, disconnect } = misbehaviour;
  const flags = disconnect ? ' flags=disconnect' : '';
  return [`retcode-item "uid=${uid}" ${code} op=bind text="${text}"${flags}`];
}

function configuration(folder: string): string {
  return [
    ...['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`),
    // As in Active Directory; OpenLDAP's own schema for it is not part of every package.
    "attributetype ( 1.2.840.113556.1.4.8 NAME 'userAccountControl' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )",
    "objectclass ( 1.2.840.113556.1.5.9 NAME 'user' SUP top AUXILIARY MAY userAccountControl )",
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    'moduleload retcode',
    'moduleload memberof',
    `TLSCertificateFile ${join(folder, 'server.crt')}`,
    `TLSCertificateKeyFile ${join(folder, 'server.key')}`,
    'database mdb',
    'maxsize 1073741824',
    `suffix "${base}"`,
    `rootdn "${root.dn}"`,
    `rootpw "${root.password}"`,
    `directory ${join(folder, 'data')}`,
    'access to attrs=userPassword by anonymous auth by * none',
    `access to dn.subtree="ou=open,${base}" by * read`,
    `access to * by dn.exact="${service.dn}" read by dn.exact="${limitedService.bindDN}" read by anonymous auth`,
    `limits dn.exact="${service.dn}" size=unlimited`,
    `limits dn.exact="${limitedService.bindDN}" size=200`,
    'overlay memberof',
    'overlay retcode',
    `retcode-parent "ou=strange,${base}"`,
    ...Object.values<LdapPerson>(people).flatMap(answerTo),
    '',
  ].join('\n');
}

/** The path of a program. Debian installs these programs in folders that are not on the PATH of ordinary users. */
function program(name: string): string {
  const found = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/lib/openldap']
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
  if (!found) throw new Error(`${name} is missing: apt-get install slapd`);
  return found;
}

/** Counts connections by the lines that slapd logs about them. */
function watch(process: ChildProcess): { started: Promise<void>; total(): number; quiet(): Promise<void> } {
  const said: string[] = [];
  const waiting: (() => void)[] = [];
  const open = new Set<string>();
  const closedEarly = new Set<string>();
  let total = 0;
  const started = new Promise<void>((resolve, reject) => {
    process.once('error', reject);
    process.once('exit', () => reject(new Error(`slapd ended:\n${said.slice(-20).join('\n')}`)));
    if (!process.stderr) throw new Error('slapd has no output');
    createInterface(process.stderr).on('line', (line) => {
      said.push(line);
      if (line.includes('slapd starting')) resolve();
      const [, id = '', what] = /conn=(\d+) fd=\d+ (ACCEPT|closed)/.exec(line) ?? [];
      if (what === 'ACCEPT') total += 1;
      // The threads of slapd can log that a connection is closed before they log that it was accepted.
      if (what === 'ACCEPT' && !closedEarly.delete(id)) open.add(id);
      if (what === 'closed' && !open.delete(id)) closedEarly.add(id);
      if (open.size === 0) for (const done of waiting.splice(0)) done();
    });
  });
  return {
    started,
    total: () => total,
    quiet: () => new Promise((resolve) => (open.size === 0 ? resolve() : waiting.push(resolve))),
  };
}

/** Does something as the directory's own administrator. */
async function administer(
  url: string,
  work: (client: Client, done: (error: Error | null) => void) => void,
): Promise<void> {
  const client = createClient({ url });
  const settled = (start: (done: (error: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
  try {
    await settled((done) => client.bind(root.dn, root.password, done));
    await settled((done) => work(client, done));
  } finally {
    client.unbind();
  }
}

/**
 * Builds the script of the processes that talk to the directory, once. From TypeScript, each of them needs three times
 * as long to start, and sign-ins would miss their time limit on a busy machine.
 */
async function buildConversation(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mypads-conversation-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const built = join(folder, 'ldapConversation.js');
  const source = join(__dirname, '../../model/signin/ldapConversation.ts');
  await build({ entryPoints: [source], outfile: built, bundle: true, platform: 'node', format: 'cjs' });
  conversation.built = built;
}

let conversationBuilt: Promise<void> | undefined;

/** Starts the directory with `people` and `more`. A part of it is referred to `elsewhere`, an LDAP address. */
export async function startLdapServer({
  elsewhere = 'ldap://127.0.0.1:1',
  more = [],
}: {
  elsewhere?: string;
  more?: readonly LdapPerson[];
} = {}): Promise<LdapServer> {
  conversationBuilt ??= buildConversation();
  await conversationBuilt;
  const slapd = program('slapd');
  const folder = await mkdtemp(join(tmpdir(), 'mypads-ldap-'));
  await mkdir(join(folder, 'data'));
  const { cert, key } = createCertificate();
  const configFile = join(folder, 'slapd.conf');
  const seedFile = join(folder, 'seed.ldif');
  await Promise.all([
    writeFile(join(folder, 'server.crt'), cert),
    writeFile(join(folder, 'server.key'), key, { mode: 0o600 }),
    writeFile(configFile, configuration(folder)),
    writeFile(seedFile, seed(elsewhere, more)),
  ]);
  await promisify(execFile)(program('slapadd'), ['-q', '-f', configFile, '-l', seedFile]);
  const url = `ldap://127.0.0.1:${await freePort()}`;
  const secureUrl = `ldaps://127.0.0.1:${await freePort()}`;
  const directory = spawn(slapd, ['-f', configFile, '-h', `${url}/ ${secureUrl}/`, '-d', 'stats'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Kills slapd when our end of its input closes. That also happens when the process of the tests is killed.
  const watchdog = spawn('/bin/sh', ['-c', 'read _; kill -9 "$0"; rm -rf "$1"', `${directory.pid}`, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const { started, total, quiet } = watch(directory);
  await started;

  return {
    url,
    secureUrl,
    certificate: cert,
    settings: (changes = {}) => ({
      url,
      bindDN: service.dn,
      bindCredentials: service.password,
      searchBase: base,
      searchFilter: '(uid={{username}})',
      tlsOptions: { rejectUnauthorized: true },
      properties: { login: 'uid', email: 'mail', firstname: 'givenName', lastname: 'sn' },
      defaultLang: 'fr',
      ...changes,
    }),
    connections: total,
    quiet,
    change: (person, values) =>
      administer(url, (client, done) => {
        const changes = Object.entries(values).map(
          ([type, all]) =>
            new Change({ operation: 'replace', modification: new Attribute({ type, values: all }) }),
        );
        client.modify(nameOf(person), changes, done);
      }),
    rename: (person, uid) =>
      administer(url, (client, done) => client.modifyDN(nameOf(person), `uid=${uid}`, done)),
    remove: (person) => administer(url, (client, done) => client.del(nameOf(person), done)),
    add: ({ password, ...person }) =>
      administer(url, (client, done) => {
        const { uid, sn, givenName = [], mail = [] } = person;
        const entry = { objectClass: ['inetOrgPerson', 'user'], uid, cn: uid, sn, givenName, mail };
        const filled = Object.entries(entry).filter(([, values]) => values.length > 0);
        if (password !== undefined) filled.push(['userPassword', password]);
        client.add(nameOf(person), Object.fromEntries(filled), done);
      }),
    async addGroup(cn, members) {
      const name = `cn=${cn},${base}`;
      const entry = { objectClass: 'groupOfNames', cn, member: members.map(nameOf) };
      await administer(url, (client, done) => client.add(name, entry, done));
      return name;
    },
    removeGroup: (name) => administer(url, (client, done) => client.del(name, done)),
    async freeze() {
      directory.kill('SIGSTOP');
      const { pid } = directory;
      if (process.platform === 'linux' && pid !== undefined)
        await until('the directory is suspended', () => isSuspended(pid));
    },
    thaw: () => void directory.kill('SIGCONT'),
    async stop() {
      if (watchdog.exitCode !== null) return;
      const ended = once(watchdog, 'exit');
      watchdog.stdin?.end();
      await ended;
    },
  };
}
