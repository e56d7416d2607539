/** Every route to a pad, and the outcome of trying it. */
import type { Answer, Call, RunningEtherpad } from './etherpad';
import type { Credentials } from './hostFixture';
import { PadClient } from './socketClient';

/** `write`, `read`: entered in this mode. `refused`: a redirect to the app, an error key, or "deny" of the editor. */
export type Outcome = 'entered' | 'write' | 'read' | 'refused' | string;

export interface Target {
  pad: string;
  readOnlyId: string;
  /** A pad that everybody may write in. */
  open: string;
}

type Way = (etherpad: RunningEtherpad, target: Target, who: Credentials) => Promise<Outcome>;

const page = 'text/html,application/xhtml+xml';

/** Etherpad 3 shows the history inside the pad and redirects the old address to it. */
function outcome(answer: Answer): Outcome {
  const location = answer.headers.get('location') ?? '';
  if (answer.status === 302 && location.includes('mypads/?/mypads/group/')) return 'refused';
  if (answer.status === 401 && typeof answer.body === 'object') return 'refused';
  if (answer.status === 200 || answer.status === 302) return 'entered';
  return `${answer.status} ${String(answer.body).slice(0, 100)}`;
}

function http(path: (target: Target) => string, call: Call): Way {
  return async (etherpad, target, { cookie }) =>
    outcome(
      await etherpad.get(path(target), { ...call, cookie: `${cookie ?? ''}; token=t.AAAAAAAAAAAAAAAAAAAA` }),
    );
}

function importForm(): FormData {
  const form = new FormData();
  form.append('file', new Blob(['imported text\n'], { type: 'text/plain' }), 'text.txt');
  return form;
}

async function withClient(
  etherpad: RunningEtherpad,
  who: Credentials,
  use: (client: PadClient) => Promise<Outcome>,
): Promise<Outcome> {
  const client = await PadClient.connect(etherpad, who.cookie);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

/** The id with one percent-encoded letter: another spelling of the same address. */
function encoded(id: string): string {
  return `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
}

/** Routes to read a pad and, with the right to, to write in it. */
const pages: Record<string, Way> = {
  page: http(({ pad }) => `/p/${pad}`, { accept: page }),
  'page asked for by a program': http(({ pad }) => `/p/${pad}`, {}),
  'page with a query': http(({ pad }) => `/p/${pad}?showChat=false`, { accept: page }),
  '/P/': http(({ pad }) => `/P/${pad}`, { accept: page }),
  'percent-encoded': http(({ pad }) => `/p/${encoded(pad)}`, { accept: page }),
  'read-only id': http(({ readOnlyId }) => `/p/${readOnlyId}`, { accept: page }),
  'read-only id, percent-encoded': http(({ readOnlyId }) => `/p/${encoded(readOnlyId)}`, { accept: page }),
  timeslider: http(({ pad }) => `/p/${pad}/timeslider`, { accept: page }),
  'timeslider for the frame': http(({ pad }) => `/p/${pad}/timeslider?embed=1`, { accept: page }),
  'export as text': http(({ pad }) => `/p/${pad}/export/txt`, {}),
  'export as HTML by HEAD': http(({ pad }) => `/p/${pad}/export/html`, { method: 'HEAD', accept: page }),
  'export of a revision': http(({ pad }) => `/p/${pad}/0/export/txt`, {}),
  'export, /P/ and percent-encoded': http(({ pad }) => `/P/${encoded(pad)}/EXPORT/txt`, {}),
  'export by the read-only id': http(({ readOnlyId }) => `/p/${readOnlyId}/export/txt`, {}),
};

/** Only Etherpad 1.8.14 has this route. */
const oldPages: Record<string, Way> = {
  '/ro/': http(({ readOnlyId }) => `/ro/${readOnlyId}`, { accept: page }),
  '/RO/': http(({ readOnlyId }) => `/RO/${encoded(readOnlyId)}`, {}),
};

/** Routes that can only write. */
const writing: Record<string, Way> = {
  import: (etherpad, target, who) =>
    http(({ pad }) => `/p/${pad}/import`, { method: 'POST', form: importForm() })(etherpad, target, who),
  'import, percent-encoded': (etherpad, target, who) =>
    http(({ pad }) => `/P/${encoded(pad)}/import`, { method: 'POST', form: importForm() })(
      etherpad,
      target,
      who,
    ),
};

/** Routes that would write by a read-only id, which is always refused. */
const never: Record<string, Way> = {
  'import by the read-only id': (etherpad, target, who) =>
    http(({ readOnlyId }) => `/p/${readOnlyId}/import`, { method: 'POST', form: importForm() })(
      etherpad,
      target,
      who,
    ),
};

/** The websocket, which tells whether one may write. */
const sockets: Record<string, Way> = {
  CLIENT_READY: (etherpad, { pad }, who) => withClient(etherpad, who, (client) => client.join(pad)),
  'CLIENT_READY, asking again when refused': (etherpad, { pad }, who) =>
    withClient(etherpad, who, async (client) => {
      const first = await client.join(pad);
      return first === 'refused' ? client.join(pad) : first;
    }),
};

/** After an import the editor of 1.8.14 opens its own pad in this way. */
const oldSockets: Record<string, Way> = {
  'SWITCH_TO_PAD into the same pad': (etherpad, { pad }, who) =>
    withClient(etherpad, who, async (client) => {
      await client.join(pad);
      return client.join(pad, { type: 'SWITCH_TO_PAD' });
    }),
};

/** The websocket, which only accepts or refuses a visitor. */
const reconnecting: Record<string, Way> = {
  'reconnect: true': (etherpad, { pad }, who) =>
    withClient(etherpad, who, async (client) => {
      const standing = await client.join(pad, { reconnect: true, client_rev: -1 });
      return standing === 'refused' ? 'refused' : 'entered';
    }),
};

/** A read-only id on the websocket, which allows at most to read. */
const readOnlySockets: Record<string, Way> = {
  'CLIENT_READY with the read-only id': (etherpad, { readOnlyId }, who) =>
    withClient(etherpad, who, (client) => client.join(readOnlyId)),
};

/** From an open pad into another on the same connection: always refused. A new connection is checked on its own. */
const switching: Record<string, Way> = {
  'a second CLIENT_READY': (etherpad, { pad, open }, who) =>
    withClient(etherpad, who, async (client) => {
      await client.join(open);
      return client.join(pad);
    }),
  'a second CLIENT_READY, reconnecting': (etherpad, { pad, open }, who) =>
    withClient(etherpad, who, async (client) => {
      await client.join(open);
      return client.join(pad, { reconnect: true, client_rev: -1 });
    }),
  'a second CLIENT_READY with the read-only id': (etherpad, { readOnlyId, open }, who) =>
    withClient(etherpad, who, async (client) => {
      await client.join(open);
      return client.join(readOnlyId);
    }),
  SWITCH_TO_PAD: (etherpad, { pad, open }, who) =>
    withClient(etherpad, who, async (client) => {
      await client.join(open);
      return client.join(pad, { type: 'SWITCH_TO_PAD' });
    }),
  'CHANGESET_REQ for another pad': (etherpad, { pad, open }, who) =>
    withClient(etherpad, who, async (client) => {
      await client.join(open);
      const answer = client.next(
        'an answer to CHANGESET_REQ',
        ({ type, accessStatus }) => type === 'CHANGESET_REQ' || accessStatus !== undefined,
      );
      client.send({ type: 'CHANGESET_REQ', padId: pad, data: { start: 0, granularity: 1, requestID: 1 } });
      return (await answer).accessStatus === 'deny' ? 'refused' : 'entered';
    }),
};

type Expected = 'write' | 'read' | 'refused';

/** All ways to a pad that this host has, with their result for a person whose rights are `expected`. */
function allWays({ major }: RunningEtherpad, expected: Expected): [Record<string, Way>, Outcome][] {
  const entered = expected === 'refused' ? 'refused' : 'entered';
  const old: [Record<string, Way>, Outcome][] = [
    [oldPages, entered],
    [oldSockets, expected],
  ];
  return [
    [pages, entered],
    [sockets, expected],
    [reconnecting, entered],
    [readOnlySockets, expected === 'refused' ? 'refused' : 'read'],
    [switching, 'refused'],
    ...(major === 1 ? old : []),
    [writing, expected === 'write' ? 'entered' : 'refused'],
    [never, 'refused'],
  ];
}

/** One way of each kind. */
const mainWays = ['page', 'export as text', 'import', 'CLIENT_READY'];

export type Choice = 'every way' | 'main ways';

const isChosen = (name: string, choice: Choice): boolean => choice === 'every way' || mainWays.includes(name);

/** Tries these ways and returns what came of each, by name. */
export async function tryRoutes(
  etherpad: RunningEtherpad,
  target: Target,
  who: Credentials,
  choice: Choice = 'every way',
): Promise<Record<string, Outcome>> {
  const outcomes: Record<string, Outcome> = {};
  const ways = allWays(etherpad, 'refused').flatMap(([some]) => Object.entries(some));
  for (const [name, way] of ways)
    if (isChosen(name, choice)) outcomes[name] = await way(etherpad, target, who);
  return outcomes;
}

/** What `tryRoutes` returns when everything is as it should be. */
export function outcomesFor(
  etherpad: RunningEtherpad,
  expected: Expected,
  choice: Choice = 'every way',
): Record<string, Outcome> {
  const named = allWays(etherpad, expected).flatMap(([ways, outcome]) =>
    Object.keys(ways).map((name) => [name, outcome] as const),
  );
  return Object.fromEntries(named.filter(([name]) => isChosen(name, choice)));
}
