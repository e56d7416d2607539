/**
 * Fills an empty Etherpad with the demo, as people would do it: with calls of the API, and by writing in the editor.
 */
import type { Group, Pad } from '../../api/answers';
import { PadClient } from '../../test/support/socketClient';
import {
  association,
  type DemoFolder,
  type DemoPad,
  deleted,
  demoPassword,
  links,
  mainPerson,
  people,
  school,
} from './content';

/** The Etherpad to fill. `url`: its address, without `/mypads`. */
export interface Place {
  url: string;
  /** Its version: 1, 2 or 3. */
  major: number;
}

interface Session {
  /** Calls the API as this person. Throws if the answer is an error. */
  call<Answer = unknown>(method: string, path: string, body?: object): Promise<Answer>;
  /** The cookie with which a browser opens pads. */
  cookie: string;
}

/** `token`: of a session; guests have none. */
function callerOf({ url }: Place, token?: string) {
  return async (method: string, path: string, body?: object): Promise<Response> => {
    const answer = await fetch(`${url}/mypads/api/${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
}

async function signIn(place: Place, path: string, body: object): Promise<Session> {
  const answer = await callerOf(place)('POST', path, body);
  const { token } = (await answer.json()) as { token: string };
  const send = callerOf(place, token);
  return {
    cookie: answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
    call: async (method, path, body) => (await send(method, path, body)).json(),
  };
}

type Sessions = ReadonlyMap<string, Session>;

function sessionOf(sessions: Sessions, login: string): Session {
  const session = sessions.get(login);
  if (session === undefined) throw new Error(`${login} is not one of the people of the demo`);
  return session;
}

/** Makes the accounts, and signs everyone in. */
async function makePeople(place: Place, admin: Session): Promise<Sessions> {
  const others = people.map(([login, firstname, lastname, color]) => ({ login, firstname, lastname, color }));
  const sessions = new Map<string, Session>();
  for (const { color, ...person } of [mainPerson, ...others]) {
    const { login } = person;
    const account = { ...person, email: `${login}@example.org`, password: demoPassword };
    await admin.call('POST', 'user', account);
    if (color !== '') await admin.call('PUT', `user/${login}`, { color });
    sessions.set(login, await signIn(place, 'auth/login', { login, password: demoPassword }));
  }
  return sessions;
}

/** Each person opens the pad in an editor of their own, and writes their paragraphs, the last one first. */
async function writePad(place: Place, sessions: Sessions, id: string, { text = [], chat = [] }: DemoPad) {
  const editors = new Map<string, PadClient>();
  const editorOf = async (login: string): Promise<PadClient> => {
    const known = editors.get(login);
    if (known !== undefined) return known;
    const editor = await PadClient.enter(place, sessionOf(sessions, login).cookie, id);
    editors.set(login, editor);
    return editor;
  };
  try {
    let before: string | undefined;
    for (const [login, paragraph] of text.toReversed()) {
      const editor = await editorOf(login);
      if (before !== undefined) await editor.sees(before);
      await editor.write(`${paragraph}\n`);
      before = paragraph;
    }
    for (const [login, sentence] of chat) await (await editorOf(login)).say(sentence);
  } finally {
    for (const editor of editors.values()) editor.close();
  }
}

async function makePad(
  place: Place,
  sessions: Sessions,
  { manager, folder }: { manager: Session; folder: string },
  pad: DemoPad,
): Promise<void> {
  const { value } = await manager.call<{ value: Pad }>('POST', 'pad', { name: pad.name, group: folder });
  const id = value._id;
  await writePad(place, sessions, id, pad);
  if (pad.template) await manager.call('PUT', `pad/${id}`, { template: true });
  if (pad.shared)
    await manager.call('POST', `pad/${id}/people`, {
      loginsOrEmails: pad.shared.with,
      role: pad.shared.role,
    });
  if (pad.bookmark) await manager.call('POST', 'usermark', { type: 'pads', key: id });
}

/** Returns the id of the folder. */
async function makeFolder(
  place: Place,
  sessions: Sessions,
  manager: string,
  { pads, invite, archived, readonly, ...fields }: DemoFolder,
): Promise<string> {
  const own = sessionOf(sessions, manager);
  const { value } = await own.call<{ value: Group }>('POST', 'group', fields);
  const members = people.slice(0, invite).map(([login]) => login as string);
  const others = [...members, mainPerson.login].filter((login) => login !== manager);
  const loginsOrEmails = manager === mainPerson.login ? members : others;
  if (loginsOrEmails.length > 0)
    await own.call('POST', `group/${value._id}/members`, { loginsOrEmails, role: 'writer' });
  for (const pad of pads) await makePad(place, sessions, { manager: own, folder: value._id }, pad);
  if (archived || readonly) await own.call('PUT', `group/${value._id}`, { archived, readonly });
  return value._id;
}

/** What Maya has deleted and bookmarked, her people list, and who asks to get into the choir. */
async function makeTheRest(sessions: Sessions, ids: ReadonlyMap<string, string>): Promise<void> {
  const [maya, bente, farah] = [mainPerson.login, 'bente', 'farah'].map((login) =>
    sessionOf(sessions, login),
  );
  if (!maya || !bente || !farah) return;
  const festival = ids.get('Summer festival') ?? '';
  for (const name of deleted.pads) {
    const { value } = await maya.call<{ value: Pad }>('POST', 'pad', { name, group: festival });
    await maya.call('DELETE', `pad/${value._id}`);
  }
  const { value } = await maya.call<{ value: Group }>('POST', 'group', { name: deleted.folder });
  await maya.call('DELETE', `group/${value._id}`);
  await maya.call('POST', 'usermark', { type: 'groups', key: festival });
  await maya.call('POST', 'userlist', {
    name: 'Board',
    loginsOrEmails: people.slice(0, 4).map(([login]) => login),
  });
  for (const link of links)
    await bente.call('POST', `group/${ids.get('Class 5b')}/links`, { ends: null, ...link });
  await farah.call('POST', `group/${ids.get('School choir')}/requests`, {
    text: 'I sing tenor and would like to read along.',
  });
}

/** Makes the people, folders and pads of the demo. `admin`: the administrator of that Etherpad. */
export async function fillDemo(place: Place, admin: { name: string; password: string }): Promise<void> {
  const { name: login, password } = admin;
  const server = await signIn(place, 'auth/admin/login', { login, password });
  await server.call('PUT', 'configuration/useFirstLastNameInPads', { value: true });
  const sessions = await makePeople(place, server);
  const ids = new Map<string, string>();
  for (const [manager, folders] of [
    [mainPerson.login, association],
    ['bente', school],
  ] as const) {
    for (const folder of folders) ids.set(folder.name, await makeFolder(place, sessions, manager, folder));
  }
  await makeTheRest(sessions, ids);
}
