/** All load except editing: lists, sign-ins, pages, pads and members that are added and removed, settings. */
import { setTimeout as pause } from 'node:timers/promises';
import { errorStatus } from '../model/errors';
import { type Dataset, type Person, password, pickOne, type SignedIn } from './dataset';
import { Editor } from './editor';
import { type Reply, send } from './http';
import type { Call } from './target';

/** Results of a call. */
export interface Counted {
  count: number;
  /** Milliseconds. */
  slowest: number;
}

export interface School {
  data: Dataset;
  /** Teachers. Each administers folders and has a list of a different length. */
  owners: SignedIn[];
  /** For each owner, by index, a folder in which nobody edits. */
  quietFolders: string[];
  /** People who are added to folders and removed again. */
  visitors: Person[];
  /** Pads that everybody may open. */
  publicPads: string[];
}

export class Callers {
  /** Answers by call and status, as `GET group 200`. */
  readonly answers = new Map<string, Counted>();
  /** Unexpected results, and how often each occurred. */
  readonly wrong = new Map<string, number>();
  /** Milliseconds from the removal of a member until their editor was closed. */
  readonly closedAfterRemoval: number[] = [];
  private going = true;
  private made = 0;
  private readonly etags = new Map<string, string>();

  constructor(private readonly school: School) {}

  private note(what: string): void {
    this.wrong.set(what, (this.wrong.get(what) ?? 0) + 1);
  }

  /** Counts the answer. A 5xx answer is unexpected unless docs/api.md lists its error with this status. */
  private async count(name: string, work: () => Promise<Reply>): Promise<Reply | undefined> {
    const start = performance.now();
    try {
      const reply = await work();
      const key = `${name} ${reply.status}`;
      const { count, slowest } = this.answers.get(key) ?? { count: 0, slowest: 0 };
      const took = performance.now() - start;
      this.answers.set(key, { count: count + 1, slowest: Math.max(slowest, took) });
      if (reply.status >= 500 && !isDocumented(reply))
        this.note(`${key}: ${reply.body.toString('utf8').slice(0, 200)}`);
      return reply;
    } catch (error) {
      if (this.going) this.note(`${name}: ${String(error)}`);
      return undefined;
    }
  }

  private call(name: string, method: string, place: string, call?: Call): Promise<Reply | undefined> {
    return this.count(`${method} ${name}`, () => this.school.data.target.call(method, place, call));
  }

  /** The same; any status other than 200 or 304 is unexpected. */
  private async expect(name: string, method: string, place: string, call?: Call): Promise<Reply | undefined> {
    const reply = await this.call(name, method, place, call);
    if (reply !== undefined && reply.status !== 200 && reply.status !== 304 && reply.status < 500) {
      this.note(`${method} ${name} ${reply.status}: ${reply.body.toString('utf8').slice(0, 200)}`);
    }
    return reply;
  }

  private async list(): Promise<void> {
    const { login, token } = pickOne(this.school.owners);
    const etag = Math.random() < 0.5 ? this.etags.get(login) : undefined;
    const headers = { 'accept-encoding': 'br, gzip', ...(etag && { 'if-none-match': etag }) };
    const reply = await this.expect('group', 'GET', 'group', { token, headers });
    if (reply?.headers.etag) this.etags.set(login, reply.headers.etag);
  }

  private async folder(): Promise<void> {
    const owner = Math.floor(Math.random() * this.school.owners.length);
    const token = this.school.owners[owner]?.token;
    await this.expect('group/{id}', 'GET', `group/${this.school.quietFolders[owner]}`, { token });
  }

  private async signIn(): Promise<void> {
    const { login } = pickOne(this.school.visitors);
    const reply = await this.expect('auth/login', 'POST', 'auth/login', { body: { login, password } });
    if (reply?.status !== 200) return;
    const { token } = JSON.parse(reply.body.toString('utf8')) as { token: string };
    await this.expect('auth/logout', 'GET', 'auth/logout', { token });
  }

  /** A class signs in at the same time; one person mistypes the password. */
  private async signInClass(): Promise<void> {
    const wrong = { login: pickOne(this.school.visitors).login, password: 'mistyped' };
    await Promise.all([
      ...Array.from({ length: 15 }, () => this.signIn()),
      this.call('auth/login', 'POST', 'auth/login', { body: wrong }),
    ]);
  }

  private async padComesAndGoes(): Promise<void> {
    const owner = Math.floor(Math.random() * this.school.owners.length);
    const { token } = this.school.owners[owner] ?? {};
    const body = { name: `Pad ${++this.made}`, group: this.school.quietFolders[owner] };
    const reply = await this.expect('pad', 'POST', 'pad', { token, body });
    if (reply?.status !== 200) return;
    const { key } = JSON.parse(reply.body.toString('utf8')) as { key: string };
    await pause(5_000);
    await this.expect('pad/{id}', 'PUT', `pad/${key}`, { token, body: { name: `Pad ${this.made} again` } });
    await pause(20_000);
    await this.expect('pad/{id}', 'DELETE', `pad/${key}`, { token });
  }

  /** A person is added to a folder, opens a pad, and is removed. Their editor must then close. */
  private async addAndRemoveMember(): Promise<void> {
    const { data } = this.school;
    const { url, major } = data.target;
    const index = Math.floor(Math.random() * this.school.owners.length);
    const owner = this.school.owners[index];
    const visitor = pickOne(this.school.visitors);
    if (owner === undefined) return;
    const made = await this.expect('group', 'POST', 'group', {
      token: owner.token,
      body: { name: `Folder ${++this.made}`, visibility: 'restricted' },
    });
    if (made?.status !== 200) return;
    const gid = (JSON.parse(made.body.toString('utf8')) as { key: string }).key;
    const invite = (loginsOrEmails: string[]): Promise<Reply | undefined> =>
      this.expect('group/invite', 'POST', 'group/invite', {
        token: owner.token,
        body: { gid, invite: true, loginsOrEmails },
      });
    await invite([visitor.login]);
    const pad = await this.expect('pad', 'POST', 'pad', {
      token: owner.token,
      body: { name: 'Pad', group: gid },
    });
    if (pad?.status !== 200) return;
    const id = (JSON.parse(pad.body.toString('utf8')) as { key: string }).key;
    const { cookie, token } = await data.signIn(visitor);
    let noteClosed: (() => void) | undefined;
    const closed = new Promise<void>((resolve) => {
      noteClosed = resolve;
    });
    const editor = await Editor.open({ url, major, pad: id, cookie }, { lost: () => noteClosed?.() });
    await editor.insert('Here I am. ');
    await pause(3_000);
    const taken = await invite([]);
    const start = performance.now();
    const inTime = await Promise.race([closed.then(() => true), pause(5_000).then(() => false)]);
    if (taken?.status !== 200) this.note('a member could not be removed');
    else if (inTime) this.closedAfterRemoval.push(performance.now() - start);
    else this.note('an editor without the right stays open');
    editor.close();
    await this.expect('auth/logout', 'GET', 'auth/logout', { token });
    await this.expect('group/{id}', 'DELETE', `group/${gid}`, { token: owner.token });
  }

  private async setting(): Promise<void> {
    const token = this.school.data.adminToken;
    const [key, value] = pickOne<[string, unknown]>([
      ['title', `School ${++this.made}`],
      ['passwordMin', 8 + (this.made++ % 2)],
      ['useFirstLastNameInPads', this.made++ % 2 === 0],
      ['allowEtherPads', true],
    ]);
    await this.expect('configuration/{key}', 'PUT', `configuration/${key}`, { token, body: { value } });
  }

  private async folderSetting(): Promise<void> {
    const index = Math.floor(Math.random() * this.school.owners.length);
    const token = this.school.owners[index]?.token;
    const id = this.school.quietFolders[index];
    const body = pickOne([
      { description: `Changed ${++this.made} times` },
      { visibility: pickOne(['restricted', 'public']) },
      { tags: [`tag ${this.made % 9}`] },
    ]);
    await this.expect('group/{id}', 'PUT', `group/${id}`, {
      token,
      body: { name: 'A quiet folder', ...body },
    });
  }

  private async page(): Promise<void> {
    const { url } = this.school.data.target;
    const pad = pickOne(this.school.publicPads);
    const place = pickOne(['', '', '', '/export/txt', '/timeslider']);
    await this.count(`GET /p/{id}${place}`, () =>
      send(`${url}/p/${pad}${place}`, { headers: { accept: 'text/html' } }),
    );
  }

  private async search(): Promise<void> {
    const token = this.school.data.adminToken;
    await this.call(
      'search-users/{text}',
      'GET',
      `search-users/${pickOne(['ben', 'N1', 'example', 'nobody'])}`,
      {
        token,
      },
    );
  }

  private async invalidCalls(): Promise<void> {
    const [method, place, body] = pickOne<[string, string, Record<string, unknown>]>([
      ['POST', 'auth/login', { login: { x: 1 }, password: [] }],
      ['PUT', 'group/__proto__', { name: 1 }],
      ['POST', 'pad', { group: 'nothing' }],
      ['GET', 'pad/%E0%A4%A', {}],
      ['POST', 'user', { login: '\u0000' }],
      ['DELETE', 'group/nothing', {}],
    ]);
    await this.call('(invalid)', method, place, { body });
  }

  /** Starts all load. `share`: 1 is the usual rate, 0.5 half of it. */
  start(share: number): void {
    const every: [seconds: number, work: () => Promise<void>][] = [
      [1, () => this.list()],
      [1, () => this.folder()],
      [1, () => this.page()],
      [2, () => this.signIn()],
      [60, () => this.signInClass()],
      [3, () => this.padComesAndGoes()],
      [7, () => this.addAndRemoveMember()],
      [10, () => this.setting()],
      [4, () => this.folderSetting()],
      [5, () => this.search()],
      [5, () => this.invalidCalls()],
    ];
    for (const [seconds, work] of every) void this.repeat((seconds * 1_000) / share, work);
  }

  private async repeat(milliseconds: number, work: () => Promise<void>): Promise<void> {
    while (this.going) {
      await pause(milliseconds * (0.5 + Math.random()));
      if (!this.going) return;
      // Not awaited: calls start at a fixed rate.
      void work().catch((error: unknown) => {
        if (this.going) this.note(String(error));
      });
    }
  }

  stop(): void {
    this.going = false;
  }
}

function isDocumented({ status, body }: Reply): boolean {
  try {
    const { error } = JSON.parse(body.toString('utf8')) as { error: string };
    return (errorStatus as Record<string, number>)[error] === status;
  } catch {
    return false;
  }
}
