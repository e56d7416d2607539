/** The read-only address of a pad (`r.…`) stays read-only through a refusal, and never reveals the id of the pad. */
import { expect } from 'chai';
import { checkEach } from '../support/cases';
import type { Answer } from '../support/etherpad';
import { type Credentials, entryCookieOf, type Person } from '../support/hostFixture';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';

const page = 'text/html,application/xhtml+xml';
const secret = 'open sesame';

interface Target {
  pad: string;
  readOnlyId: string;
}

describe('the read-only address of a pad', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad();
  let member: Person;
  let outsider: Person;

  before(async () => {
    member = await fixture.person('member');
    outsider = await fixture.person('outsider');
  });

  /** A pad that the member may see the folder of. */
  async function target(
    folder: Record<string, unknown>,
    fields: Record<string, unknown> = {},
  ): Promise<Target> {
    const group = await fixture.group(owner, { name: 'Folder', users: [member.id], ...folder });
    const pad = await fixture.pad(owner, group, { name: 'Shared text', ...fields });
    return { pad, readOnlyId: await PadClient.readOnlyIdOf(etherpad, owner.cookie, pad) };
  }

  const visitors = (): Record<string, Credentials> => ({ guest: {}, outsider, member });

  /** What one visitor gets: from the page, from the API, and from the API with a password. */
  async function visit({ pad, readOnlyId }: Target, who: Credentials): Promise<string> {
    const answers = [
      await etherpad.get(`/p/${readOnlyId}`, { accept: page, cookie: who.cookie }),
      await etherpad.get(`/ro/${readOnlyId}`, { accept: page, cookie: who.cookie }),
      await etherpad.get(`/p/${readOnlyId}/export/txt`, { cookie: who.cookie }),
      await etherpad.api('GET', `pad/${readOnlyId}`, { token: who.token }),
      await etherpad.api('POST', `pad/${readOnlyId}/ticket`, { token: who.token, body: {} }),
      await etherpad.api('GET', 'overview/recent', { token: who.token }),
    ];
    const [shown, readOnly, exported, read, ticket] = answers;
    for (const { headers, body } of answers) {
      const told = `${headers.get('location')} ${JSON.stringify(body)}`;
      expect(told, 'an answer').not.to.include(pad);
    }
    const leads = (answer = shown): string => {
      const location = answer?.headers.get('location');
      if (location === undefined || location === null) return String(answer?.status);
      if (location.endsWith(`?/mypads/group/-/pad/view/${readOnlyId}`)) return 'app';
      return location === `../p/${readOnlyId}` ? '200' : location;
    };
    const error = (read?.body as { error?: string } | undefined)?.error?.replace(/^.*\./, '') ?? '';
    const enters = [leads(), leads(readOnly), exported?.status, read?.status, ticket?.status];
    return `${enters.join(' ')} ${error}`.trim();
  }

  async function visitAll(pad: Target): Promise<Record<string, string>> {
    const seen: Record<string, string> = {};
    for (const [name, who] of Object.entries(visitors())) seen[name] = await visit(pad, who);
    return seen;
  }

  const reads = '200 200 200 200 200';
  const signIn = 'app app 401 401 401 MUST_BE';
  const password = 'app app 401 401 401 PASSWORD_MISSING';
  const gone = 'app app 401 404 404 KEY_NOT_FOUND';

  it('of a restricted pad opens for members only', async () => {
    expect(await visitAll(await target({}))).to.deep.equal({
      guest: signIn,
      outsider: 'app app 401 401 401 DENIED_RECORD',
      member: reads,
    });
  });

  it('of a pad in a private folder asks for the password, but not members', async () => {
    const pad = await target({ visibility: 'private', password: secret });
    expect(await visitAll(pad)).to.deep.equal({ guest: password, outsider: password, member: reads });
  });

  it('of a pad with its own password asks everybody but administrators', async () => {
    const pad = await target({}, { visibility: 'private', password: secret });
    expect(await visitAll(pad)).to.deep.equal({ guest: password, outsider: password, member: password });
    expect(await visit(pad, owner)).to.equal(reads);
  });

  it('opens for everybody who is signed in, where only they may enter', async () => {
    const pad = await target({ visibility: 'public' });
    await fixture.configure('allPadsPublicsAuthentifiedOnly', true);
    try {
      expect(await visitAll(pad)).to.deep.equal({ guest: signIn, outsider: reads, member: reads });
    } finally {
      await fixture.configure('allPadsPublicsAuthentifiedOnly', false);
    }
  });

  it('of a removed pad opens for nobody', async () => {
    const removed = await target({ visibility: 'public' });
    expect(
      (await etherpad.api('DELETE', `pad/${removed.pad}?permanent=true`, { token: owner.token })).status,
    ).to.equal(200);
    expect(await visitAll(removed)).to.deep.equal({ guest: gone, outsider: gone, member: gone });
  });

  for (const [where, folder, fields] of [
    ['of the folder', { visibility: 'private', password: secret }, {}],
    ['of the pad', {}, { visibility: 'private', password: secret }],
  ] as const) {
    it(`opens read-only with the password ${where}`, async () => {
      const { pad, readOnlyId } = await target(folder, fields);
      const unlock = (given: string) =>
        etherpad.api('POST', `pad/${readOnlyId}/unlock`, { body: { password: given } });
      const wrong = await unlock('wrong');
      expect(wrong.body).to.deep.equal({ key: readOnlyId, error: 'BACKEND.ERROR.PERMISSION.UNAUTHORIZED' });

      const right = await unlock(secret);
      expect(JSON.stringify(right.body)).not.to.include(pad);
      const { value, token } = right.body as { value: Record<string, unknown>; token: string };
      expect(value).to.include({ _id: readOnlyId, name: 'Shared text' });
      expect(value.abilities).to.deep.equal({
        enter: 'read',
        edit: false,
        remove: false,
        removeChatHistory: false,
        move: false,
        bookmark: false,
        askToWrite: false,
      });

      const answer = await etherpad.api('POST', `pad/${readOnlyId}/ticket`, { token, body: {} });
      const { ticket, mode } = answer.body as { ticket: string; mode: string };
      expect(mode).to.equal('read');
      const entered = await etherpad.get(`/p/${readOnlyId}?auth_token=${ticket}`, { accept: page });
      expect(entered.headers.get('location')).to.equal(`./${readOnlyId}`);
      const cookie = entryCookieOf(entered);
      expect((await etherpad.get(`/p/${readOnlyId}`, { accept: page, cookie })).status).to.equal(200);
      const client = await PadClient.connect(etherpad, cookie ?? '');
      expect(await client.join(readOnlyId)).to.equal('read');
      client.close();
    });
  }

  it('exports the text, and nothing that has the id of the pad', async () => {
    const { pad, readOnlyId } = await target({ visibility: 'public' });
    const client = await PadClient.writer(etherpad, owner.cookie, pad);
    await client.write('<title>of the text</title>');
    client.close();
    const text = { txt: '<title>of the text</title>', html: '&lt;title&gt;of the text' };
    const records = `pad:${readOnlyId}:revs:1`;
    const exports: Record<string, { path: string; has?: string; refused?: boolean }> = {
      text: { path: 'export/txt', has: text.txt },
      HTML: { path: 'export/html', has: text.html },
      'HTML, written in another way': { path: 'EXPORT/%68tml', has: text.html },
      'HTML of a revision': { path: '1/export/html', has: text.html },
      'HTML of a revision that does not exist': { path: '999/export/html' },
      Etherpad: { path: 'export/etherpad', has: records },
      'Etherpad, written in another way': { path: '1/EXPORT/%65therpad', has: records },
      PDF: { path: 'export/pdf', refused: true },
      Word: { path: 'export/doc', refused: true },
      OpenDocument: { path: 'export/odt', refused: true },
    };
    const told = ({ headers, body }: Answer): string =>
      `${JSON.stringify([...headers])} ${JSON.stringify(body)}`;
    await checkEach(exports, async ({ path, has, refused }) => {
      const answer = await etherpad.get(`/p/${readOnlyId}/${path}`);
      expect(told(answer)).not.to.include(pad);
      if (has !== undefined) expect(told(answer)).to.include(has);
      // Later versions put the read-only id into these.
      if (refused && etherpad.major === 1) expect(answer.status).to.equal(401);
    });
    const shown = await etherpad.get(`/p/${readOnlyId}/export/pdf`, { accept: page });
    expect(told(shown)).not.to.include(pad);
    if (etherpad.major === 1) expect(shown.body).to.include('You have no access to this.');
    // Who knows the id of the pad gets all of it.
    const whole = await etherpad.get(`/p/${pad}/export/etherpad`, { cookie: owner.cookie });
    expect(whole.status).to.equal(200);
    expect((await etherpad.get(`/p/${pad}/export/html`)).body).to.include(`<title>${pad}</title>`);
  });

  it('changes nothing, also for the administrator of the folder', async () => {
    const { readOnlyId } = await target({ visibility: 'public' });
    const { token } = owner;
    const calls = [
      await etherpad.api('PUT', `pad/${readOnlyId}`, { token, body: { name: 'Taken' } }),
      await etherpad.api('DELETE', `pad/${readOnlyId}`, { token }),
      await etherpad.api('POST', `pad/${readOnlyId}/duplicate`, { token, body: { name: 'Copy' } }),
    ];
    expect(calls.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
  });
});
