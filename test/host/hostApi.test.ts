/**
 * Programs such as Moodle, Nextcloud and Drupal, which use Etherpad's own HTTP API with its key: their group pads and
 * plain pads work as without the plugin, and their sessions open no pad of a folder.
 */
import { expect } from 'chai';
import { wantedMajor } from '../../bin/etherpad';
import { hostApi } from '../support/hostApi';
import type { Person } from '../support/hostFixture';
import { type JoinResult, PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';

/** What a program has created for one person in one course. */
interface Course {
  groupID: string;
  authorID: string;
  sessionID: string;
  /** The `Cookie` header with the session. */
  cookie: string;
  /** Id of a pad of the group. */
  pad: string;
}

const tomorrow = String(Math.floor(Date.now() / 1000) + 86_400);

describe("programs with the key of Etherpad's HTTP API", function () {
  this.timeout(300_000);
  const { etherpad, fixture } = useEtherpad();
  let ada: Person;
  let folder: string;
  let courses = 0;
  let clients: PadClient[] = [];

  before(async () => {
    ada = await fixture.person('ada');
    folder = await fixture.group(ada);
  });
  afterEach(() => {
    for (const client of clients) client.close();
    clients = [];
  });

  const call = async <Data>(name: string, parameters: Record<string, string> = {}): Promise<Data> =>
    (await hostApi(etherpad, name, parameters)) as Data;

  const sessionCookie = (id: string): string => `sessionID=${id}`;

  async function createCourse(text = 'From the course.\n'): Promise<Course> {
    courses += 1;
    const mapper = `course-${courses}`;
    const { groupID } = await call<{ groupID: string }>('createGroupIfNotExistsFor', { groupMapper: mapper });
    const author = { authorMapper: mapper, name: 'Ada of the course' };
    const { authorID } = await call<{ authorID: string }>('createAuthorIfNotExistsFor', author);
    const session = { groupID, authorID, validUntil: tomorrow };
    const { sessionID } = await call<{ sessionID: string }>('createSession', session);
    const padOfGroup = { groupID, padName: 'minutes', text };
    const { padID } = await call<{ padID: string }>('createGroupPad', padOfGroup);
    return { groupID, authorID, sessionID, cookie: sessionCookie(sessionID), pad: padID };
  }

  /** Opens an editor, as the page of this Etherpad does: up to 2.x it repeats the cookie in its message. */
  async function open(
    padId: string,
    { cookie = '', sessionID }: { cookie?: string; sessionID?: string } = {},
  ): Promise<{ client: PadClient; joined: JoinResult }> {
    const cookies = [cookie, sessionID && sessionCookie(sessionID)].filter(Boolean).join('; ');
    const client = await PadClient.connect(etherpad, cookies);
    clients.push(client);
    const joined = await client.join(padId, wantedMajor() < 3 && sessionID ? { sessionID } : {});
    return { client, joined };
  }

  const exported = async (padId: string, cookie?: string): Promise<unknown> => {
    const { status, body } = await etherpad.get(`/p/${padId}/export/txt`, { cookie });
    return status === 200 ? String(body).trim() : status;
  };

  /** The text of a pad, as the API gives it to the program. */
  const textOf = async (padID: string): Promise<string> =>
    (await call<{ text: string }>('getText', { padID })).text.trim();

  const nameOf = (authorID: string): Promise<unknown> => call('getAuthorName', { authorID });

  describe('and their group pads', () => {
    it('open to people with a session of the group, as the author of the session, and to nobody else', async () => {
      const { authorID, cookie, pad, sessionID } = await createCourse();
      const other = await createCourse();
      const { client, joined } = await open(pad, { sessionID });
      expect([joined, client.authorId]).to.deep.equal(['write', authorID]);
      await client.write('Written. ');
      expect(await exported(pad, cookie)).to.equal('Written. From the course.');
      expect((await etherpad.get(`/p/${pad}`, { cookie })).status).to.equal(200);
      for (const [who, without] of Object.entries({
        'a guest': {},
        'a person who is signed in here': { cookie: ada.cookie },
        'another course': { sessionID: other.sessionID },
      })) {
        expect((await open(pad, without)).joined, who).to.equal('refused');
      }
      expect([
        await exported(pad),
        await exported(pad, ada.cookie),
        await exported(pad, other.cookie),
      ]).to.deep.equal([403, 403, 403]);
    });

    it('open with one session that counts, whatever ended ones the browser sends beside it', async () => {
      const [{ pad, sessionID }, other] = [await createCourse(), await createCourse()];
      await call('deleteSession', { sessionID: other.sessionID });
      for (const sent of [`${other.sessionID},${sessionID}`, `${sessionID},s.0123456789abcdef`])
        expect([(await open(pad, { sessionID: sent })).joined, sent]).to.deep.equal(['write', sent]);
      expect((await open(pad, { sessionID: `${other.sessionID},s.0` })).joined).to.equal('refused');
    });

    it('are read with their read-only id', async () => {
      const { pad, sessionID } = await createCourse();
      const { readOnlyID } = await call<{ readOnlyID: string }>('getReadOnlyID', { padID: pad });
      expect((await open(readOnlyID, { sessionID })).joined).to.equal('read');
      expect((await open(readOnlyID)).joined).to.equal('refused');
      expect(await call('getPadID', { roID: readOnlyID })).to.deep.equal({ padID: pad });
    });

    it('open to everybody when the program makes them public', async () => {
      const { pad } = await createCourse();
      await call('setPublicStatus', { padID: pad, publicStatus: 'true' });
      expect(await call('getPublicStatus', { padID: pad })).to.deep.equal({ publicStatus: true });
      expect((await open(pad)).joined).to.equal('write');
      expect(await exported(pad)).to.equal('From the course.');
    });

    it('are created by people with a session of the group', async () => {
      const { groupID, sessionID } = await createCourse();
      expect((await open(`${groupID}$new`)).joined).to.equal('refused');
      expect((await open(`${groupID}$new`, { sessionID })).joined).to.equal('write');
    });

    it('close when the program ends the session', async () => {
      const { cookie, pad, sessionID } = await createCourse();
      const { client } = await open(pad, { sessionID });
      await client.write('Before. ');
      await call('deleteSession', { sessionID });
      const refused = client.next('the refusal', ({ accessStatus }) => accessStatus === 'deny');
      client.sendChange('After. ');
      await refused;
      expect((await open(pad, { sessionID })).joined).to.equal('refused');
      expect(await exported(pad, cookie)).to.equal(403);
      expect(await textOf(pad)).to.equal('Before. From the course.');
    });

    for (const fixedNames of [false, true]) {
      it(`keep the name that the program gave, for people who are signed in here too${fixedNames ? ' with fixed names' : ''}`, async () => {
        await fixture.configure('useFirstLastNameInPads', fixedNames);
        try {
          const { authorID, pad, sessionID } = await createCourse();
          const cookie = `${ada.cookie}; ${sessionCookie(sessionID)}`;
          const { client, joined } = await open(pad, { cookie: ada.cookie, sessionID });
          expect([joined, client.authorId]).to.deep.equal(['write', authorID]);
          expect(await nameOf(authorID)).to.equal('Ada of the course');
          await client.write('Written. ');
          expect(await nameOf(authorID)).to.equal('Ada of the course');
          const named = await etherpad.get(`/p/${pad}?userName=Ada%20of%20the%20course`, { cookie });
          expect(named.status, 'the address with the name that the program gives').to.equal(200);
        } finally {
          await fixture.configure('useFirstLastNameInPads', false);
        }
      });
    }

    it('are read, changed, copied, moved and removed by the program', async () => {
      const { authorID, groupID, pad } = await createCourse();
      const copy = `${groupID}$copy`;
      const moved = `${groupID}$moved`;
      await call('setText', { padID: pad, text: 'New text.' });
      await call('appendText', { padID: pad, text: ' More.' });
      expect(await textOf(pad)).to.equal('New text. More.');
      await call('setHTML', { padID: pad, html: '<html><body><b>Bold</b></body></html>' });
      const { html } = await call<{ html: string }>('getHTML', { padID: pad });
      expect(html).to.match(/<(b|strong)>Bold<\/\1>/);
      await call('copyPad', { sourceID: pad, destinationID: copy });
      await call('movePad', { sourceID: copy, destinationID: moved });
      expect((await call<{ padIDs: string[] }>('listPads', { groupID })).padIDs).to.have.members([
        pad,
        moved,
      ]);
      await call('deletePad', { padID: moved });
      expect((await call<{ padIDs: string[] }>('listPads', { groupID })).padIDs).to.deep.equal([pad]);
      expect(Object.keys((await call<object>('listSessionsOfGroup', { groupID })) ?? {})).to.have.lengthOf(1);
      expect(await call('listPadsOfAuthor', { authorID })).to.deep.equal({ padIDs: [] });
      await call('deleteGroup', { groupID });
      expect((await call<{ padIDs: string[] }>('listAllPads')).padIDs).to.not.include(pad);
    });
  });

  describe('and plain pads', () => {
    it('create, read and remove them, and they are open to everybody', async () => {
      await call('createPad', { padID: 'meeting', text: 'Agenda.\n' });
      expect((await open('meeting')).joined).to.equal('write');
      expect(await exported('meeting')).to.equal('Agenda.');
      await call('deletePad', { padID: 'meeting' });
      expect((await call<{ padIDs: string[] }>('listAllPads')).padIDs).to.not.include('meeting');
    });
  });

  describe('where pads without a folder are switched off', () => {
    before(() => fixture.configure('allowEtherPads', false));
    after(() => fixture.configure('allowEtherPads', true));

    it('work with all pads, which nobody can open in a browser until they are switched on again', async () => {
      const { cookie, pad, sessionID } = await createCourse();
      await call('createPad', { padID: 'closed', text: 'Closed.\n' });
      await call('setPublicStatus', { padID: pad, publicStatus: 'true' });
      for (const id of [pad, 'closed']) {
        expect((await open(id, { sessionID })).joined, id).to.equal('refused');
        expect(await exported(id, cookie), id).to.equal(401);
      }
      expect(await textOf(pad)).to.equal('From the course.');
      expect(await textOf('closed')).to.equal('Closed.');
      await fixture.configure('allowEtherPads', true);
      expect((await open(pad, { sessionID })).joined).to.equal('write');
      expect(await exported('closed')).to.equal('Closed.');
    });
  });

  describe('and pads of folders', () => {
    it('read and change all of them', async () => {
      const pad = await fixture.pad(ada, folder);
      const { client } = await open(pad, { cookie: ada.cookie });
      const shown = client.sees('By the program.');
      await call('setText', { padID: pad, text: 'By the program.\n' });
      await shown;
      expect(await exported(pad, ada.cookie)).to.equal('By the program.');
      expect(await textOf(pad)).to.equal('By the program.');
      expect((await call<{ padIDs: string[] }>('listAllPads')).padIDs).to.include(pad);
    });

    it('open none of them to people: not with a session, not as public, not by the read-only id', async () => {
      const pad = await fixture.pad(ada, folder);
      const { cookie, sessionID } = await createCourse();
      const { readOnlyID } = await call<{ readOnlyID: string }>('getReadOnlyID', { padID: pad });
      const status = await call('setPublicStatus', { padID: pad, publicStatus: 'true' }).then(
        () => 'made public',
        (error: Error) => error.message,
      );
      expect(status).to.contain('You can only get/set');
      for (const id of [pad, readOnlyID]) {
        expect((await open(id, { sessionID })).joined, id).to.equal('refused');
        expect(await exported(id, cookie), id).to.equal(401);
        expect((await etherpad.get(`/p/${id}`, { cookie })).status, id).to.equal(401);
      }
    });

    it('copy them into a group, whose sessions open the copy', async () => {
      const pad = await fixture.pad(ada, folder);
      await call('setText', { padID: pad, text: 'A copy.\n' });
      const { cookie, groupID } = await createCourse();
      await call('copyPad', { sourceID: pad, destinationID: `${groupID}$copy` });
      expect(await exported(`${groupID}$copy`, cookie)).to.equal('A copy.');
      expect([await exported(`${groupID}$copy`), await exported(pad, cookie)]).to.deep.equal([403, 401]);
    });
  });
});

describe('an Etherpad where only programs create pads', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad({ settings: { editOnly: true } });

  it('opens pads that people create in their folders, and no others', async () => {
    const pad = await fixture.pad(owner, await fixture.group(owner));
    const member = await PadClient.connect(etherpad, owner.cookie);
    const guest = await PadClient.connect(etherpad);
    expect([await member.join(pad), await guest.join('never-there')]).to.deep.equal(['write', 'refused']);
    member.close();
    guest.close();
  });
});
