/**
 * A plugin that tests install beside ours. Like ep_comments_page, ep_adminpads2 and ep_set_title_on_pad, it trusts
 * everything that a connection sends: notes of pads in a namespace, titles by a message, a list for administrators.
 */
interface Socket {
  client: { request: { headers: Record<string, unknown> } };
  on(event: string, listener: (...values: never[]) => void): unknown;
  join(room: string): unknown;
}

interface Namespace {
  on(event: 'connection', listener: (socket: Socket) => void): unknown;
  to(room: string): { emit(event: string, value: unknown): unknown };
}

interface PadText {
  padId: string;
  text: string;
}

const notes: PadText[] = [];
const titles: PadText[] = [];
const signals: string[] = [];
/** Whom a proxy names, as connections and requests say it: one entry for each. */
const named: unknown[] = [];
const header = 'remote-user';

export function socketio(_name: string, { io }: { io: { of(name: string): Namespace } }): void {
  const namespace = io.of('/notes');
  namespace.on('connection', (socket) => {
    named.push(socket.client.request.headers[header] ?? 'nobody');
    socket.on('getNotes', ({ padId }: PadText, answer: (found: string[]) => void) => {
      socket.join(padId);
      answer(notes.filter((note) => note.padId === padId).map(({ text }) => text));
    });
    socket.on('addNote', (note: PadText, answer: (text: string) => void) => {
      notes.push(note);
      namespace.to(note.padId).emit('added', note.text);
      answer(note.text);
    });
    socket.on('addByName', (padId: string, { text }: PadText) => void notes.push({ padId, text }));
  });
  io.of('/pluginfw/admin/notes').on('connection', (socket) => {
    socket.on('list', (answer: (all: PadText[]) => void) => answer(notes));
  });
  io.of('/').on('connection', (socket) => {
    named.push(socket.client.request.headers[header] ?? 'nobody');
    socket.on('signal', ({ padId }: PadText) => void signals.push(padId));
  });
}

interface Context {
  message: { type: string; data?: { type?: string; padId?: string; title?: string } };
}

/** `null`: Etherpad does not see the message. */
export function handleMessage(_name: string, { message: { data } }: Context): null | undefined {
  if (data?.type !== 'title') return undefined;
  titles.push({ padId: String(data.padId), text: String(data.title) });
  return null;
}

interface Application {
  all(
    path: string,
    handler: (request: Socket['client']['request'], response: { json(value: object): void }) => void,
  ): unknown;
}

/** What the plugin has taken from all connections. */
export function expressCreateServer(_name: string, { app }: { app: Application }): void {
  app.all('/test-named', ({ headers }, response) => {
    named.push(headers[header] ?? 'nobody');
    response.json(named.splice(0));
  });
  app.all('/test-notes', (_request, response) => response.json({ notes, titles, signals }));
  for (const path of ['/test-public', '/test-public/:pad', '/test-public/:pad/:more']) {
    app.all(path, (_request, response) => response.json({ text: 'of a pad' }));
  }
}
