/** Creates people, folders and pads on the measured server, as its administrator. */
import pLimit from 'p-limit';
import type { Target } from './target';

export const password = 'correct horse battery';
let made = 0;

export interface Person {
  id: string;
  login: string;
}

export interface SignedIn extends Person {
  token: string;
  /** `Cookie` header that opens pads. */
  cookie: string;
}

interface Made {
  key: string;
}

/** Runs `work` for each item, eight at a time. The results are in the order of the items. */
export function inParallel<Item, Value>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Value>,
): Promise<Value[]> {
  const limit = pLimit(8);
  return Promise.all(items.map((item, index) => limit(work, item, index)));
}

/** A random item. The list must not be empty. */
export const pickOne = <Item>(items: readonly Item[]): Item =>
  items[Math.floor(Math.random() * items.length)] as Item;

export const countTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

export class Dataset {
  private constructor(
    readonly target: Target,
    readonly adminToken: string,
  ) {}

  static async open(target: Target): Promise<Dataset> {
    return new Dataset(target, await target.signInAdmin());
  }

  async person(): Promise<Person> {
    made += 1;
    const login = `bench-${made}`;
    const body = { login, password, email: `${login}@example.org`, firstname: 'Bench', lastname: `N${made}` };
    const { key } = await this.target.ask<Made>('POST', 'user', { token: this.adminToken, body });
    return { id: key, login };
  }

  people(count: number): Promise<Person[]> {
    return inParallel(countTo(count), () => this.person());
  }

  async signIn(person: Person): Promise<SignedIn> {
    const { status, headers, body } = await this.target.call('POST', 'auth/login', {
      body: { login: person.login, password },
    });
    if (status !== 200) throw new Error(`sign-in answers ${status} ${body.toString('utf8').slice(0, 200)}`);
    const cookies = headers['set-cookie'] ?? [];
    const cookie = cookies.find((one) => one.startsWith('mypads_entry='))?.split(';')[0] ?? '';
    return { ...person, token: (JSON.parse(body.toString('utf8')) as { token: string }).token, cookie };
  }

  /** Returns its id. */
  async folder(owner: Person, fields: Record<string, unknown> = {}): Promise<string> {
    const body = { name: 'A folder', visibility: 'restricted', admin: owner.id, ...fields };
    return (await this.target.ask<Made>('POST', 'group', { token: this.adminToken, body })).key;
  }

  /** Returns its id. */
  async pad(group: string, fields: Record<string, unknown> = {}): Promise<string> {
    const body = { name: 'A pad', group, ...fields };
    return (await this.target.ask<Made>('POST', 'pad', { token: this.adminToken, body })).key;
  }

  /** Makes a link that opens the folder for reading. */
  async link(group: string): Promise<void> {
    const body = { role: 'reader', label: 'Parents' };
    await this.target.ask('POST', `group/${group}/links`, { token: this.adminToken, body });
  }

  /** Creates a folder with pads. Returns its id. */
  async filledFolder(owner: Person, pads: number, fields: Record<string, unknown> = {}): Promise<string> {
    const group = await this.folder(owner, fields);
    for (let number = 0; number < pads; number += 1) await this.pad(group, { name: `Pad ${number}` });
    return group;
  }

  /** Creates a pad that everybody may write in. Returns its id. */
  async publicPad(owner: Person): Promise<string> {
    return this.pad(await this.folder(owner, { name: 'Open', visibility: 'public' }));
  }
}
