/**
 * Answers while access cannot be checked: before start-up has finished and after it failed. Every pad is closed then.
 * index.ts uses this file when nothing else can be loaded, so this file must not import anything at run time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EditorSocket, Namespace, SocketServer } from '../host/sockets';

/** True if a browser asks for a page; false for a program. */
export function wantsPage(request: IncomingMessage): boolean {
  const reading = request.method === 'GET' || request.method === 'HEAD';
  return reading && (request.headers.accept ?? '').includes('text/html');
}

const page = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not available</title></head>
<body><h1>Not available just now</h1><p>The pads are closed until the server is ready. If this keeps happening, contact your administrator.</p></body></html>`;

/**
 * Drops the empty session that Etherpad creates for every request without one. Otherwise Etherpad would delay our
 * answer until this useless session is stored. Call it before answering.
 */
export function discardEmptySession(request: IncomingMessage): void {
  const withSession = request as IncomingMessage & { session?: object };
  const isEmpty = Object.keys(withSession.session ?? {}).every((name) => name === 'cookie');
  if (isEmpty) withSession.session = undefined;
}

/** Answers 503: a page for a browser, JSON for a program. */
export function answerUnavailable(
  request: IncomingMessage,
  response: ServerResponse,
  error = 'BACKEND.ERROR.SERVER.BUSY',
): void {
  discardEmptySession(request);
  const html = wantsPage(request);
  response.statusCode = 503;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Retry-After', '5');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Type', html ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8');
  response.end(html ? page : JSON.stringify({ error }));
}

/** Addresses of Etherpad and ours. They have their own checks, or show no pads. */
const hostAddresses =
  /^\/(?:$|[?]|(?:p|ro|mypads|static|javascripts|socket\.io|api|rest|admin|locales|pluginfw|oidc|interaction|views)(?:[/?]|$))/i;
export const isHostAddress = (url = '/'): boolean => hostAddresses.test(url);

/** No address of a browser has so many. */
const mostParts = 100;

/**
 * What could be the id of a pad in this address, each once. Plugins may remove `..` or an ending such as `.html`.
 * `undefined` if there are too many parts to look at.
 */
export function namesInAddress(url = '/'): string[] | undefined {
  let text = url;
  try {
    text = decodeURIComponent(url);
  } catch {
    // Express refuses this address if a plugin has a route for it.
  }
  const all = text.split(/[/?#&=,;]+/, mostParts + 1);
  if (all.length > mostParts) return undefined;
  const parts = all.flatMap((part) => [part, part.replaceAll('..', '')]);
  const names = parts.flatMap((part) => [part, part.replace(/\.[a-z]+$/i, '')]);
  return [...new Set(names)].filter((name) => name !== '');
}

/** Whether a name looks like the id of a pad of a folder. Used while the records cannot be read. */
export const mayNamePad = (name: string): boolean => /(?:^|-)[0-9a-z]{12,}$|^r\.\w+$/.test(name);

type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

interface App {
  use(path: string | string[], handler: Handler): unknown;
}

/** Refuses addresses of other plugins that name a pad. */
const refuseNamedPads: Handler = (request, response, next) => {
  const { url } = request;
  const names = namesInAddress(url);
  if (!isHostAddress(url) && names?.some(mayNamePad) !== false) answerUnavailable(request, response);
  else next();
};

/**
 * Etherpad before 3.3.3 refuses `../` in the address of a script or style, but turns backslashes into slashes after
 * that. So anybody could read every file that Etherpad may read (GHSA-mc8w-wjhw-45x5).
 */
const refuseBackslash: Handler = (request, response, next) => {
  if (!/\\|%(?:25)*5c/i.test(request.url ?? '')) return next();
  discardEmptySession(request);
  response.statusCode = 400;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ error: 'BACKEND.ERROR.TYPE.ADDRESS' }));
};

/** Bytes of what a browser reports about an error in its scripts, or about its connection. */
const longestReport = 100_000;

/**
 * Etherpad reads and logs the report of anybody: 20 MB of brackets stop 1.8.14 for a minute. Browsers always send a
 * length, and when the page cannot be loaded, later versions send a form with parts (`sendBeacon`).
 */
const refuseLongReport: Handler = (request, response, next) => {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  const isReport = /^(?:multipart\/form-data|application\/(?:json|x-www-form-urlencoded))(?:$|[ ;])/i.test(
    type,
  );
  if (request.method === 'GET' || (isReport && Number(length) <= longestReport)) return next();
  discardEmptySession(request);
  response.statusCode = 413;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ error: 'BACKEND.ERROR.TYPE.TOO_LARGE' }));
};

/** Protects the files of the server and its memory. Call it before Etherpad adds its routes for files and reports. */
export function guardServerFiles(app: App): void {
  app.use(['/static', '/javascripts'], refuseBackslash);
  app.use(['/jserror', '/ep/pad/connection-diagnostic-info'], refuseLongReport);
}

/** The namespaces of Etherpad, which checks the account there itself. */
const hostNamespaces: readonly string[] = ['/', '/settings', '/pluginfw/installer'];

/**
 * Calls `guard` once for each namespace of other plugins: those that exist, and those that they create later. Throws if
 * this version of socket.io keeps its namespaces elsewhere.
 */
export function guardPluginNamespaces(io: SocketServer, guard: (namespace: Namespace) => void): void {
  const guarded = new Set<string>(hostNamespaces);
  const guardOnce = (namespace: Namespace): void => {
    if (guarded.has(namespace.name)) return;
    guarded.add(namespace.name);
    guard(namespace);
  };
  const existing = io._nsps?.values() ?? (io.nsps && Object.values(io.nsps));
  if (!existing) throw new Error('socket.io has no list of namespaces');
  for (const namespace of existing) guardOnce(namespace);
  const { of } = io;
  io.of = (...values) => {
    const namespace = of.apply(io, values);
    guardOnce(namespace);
    return namespace;
  };
}

/** The hooks that index.ts exports if the real ones cannot be loaded. They refuse access to every pad. */
export const closedHooks = {
  loadSettings(): void {},
  expressPreSession(_name: string, { app }: { app: App }): void {
    guardServerFiles(app);
  },
  expressConfigure(_name: string, { app }: { app: App }): void {
    guardServerFiles(app);
    for (const path of ['/mypads', '/p', '/ro']) {
      app.use(path, (request, response) => answerUnavailable(request, response));
    }
    app.use('/', refuseNamedPads);
  },
  preAuthorize(): undefined {},
  /** Refuses the namespaces of other plugins, and drops the messages that Etherpad would pass to other plugins. */
  socketio(_name: string, { io }: { io: SocketServer }): void {
    guardPluginNamespaces(io, (namespace) => {
      namespace.use((_socket, next) => next(new Error('every pad is closed')));
    });
    io.use((socket, next) => {
      socket.use(() => void socket.emit('message', { accessStatus: 'deny' }));
      next();
    });
  },
  handleMessage(_name: string, { socket }: { socket: EditorSocket }): null {
    socket.emit('message', { accessStatus: 'deny' });
    return null;
  },
  onAccessCheck(): boolean {
    return false;
  },
  importFile(): never {
    throw new Error('import refused: every pad is closed');
  },
  clientVars(): { readonly: boolean } {
    return { readonly: true };
  },
  eejsBlock_indexWrapper(): void {},
  eejsBlock_adminMenu(): void {},
  eejsBlock_timesliderScripts(): void {},
  padLoad(): void {},
  padUpdate(): void {},
  padRemove(): void {},
  padCopy(): void {},
  padCreate(): void {},
  pluginUninstall(): void {},
  shutdown(): void {},
};

export type HookName = keyof typeof closedHooks;
