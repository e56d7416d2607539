/**
 * What Etherpad gets while nothing can be decided: before we are ready, and when we could not start at all. Every pad stays closed.
 * Used by the guard in index.ts too, so nothing may be imported here.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A person looking at a page, rather than a program. */
export function wantsPage(request: IncomingMessage): boolean {
  const reading = request.method === 'GET' || request.method === 'HEAD';
  return reading && (request.headers.accept ?? '').includes('text/html');
}

const page = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not available</title></head>
<body><h1>Not available just now</h1><p>The pads are closed until the server is ready. If this stays, its log says why.</p></body></html>`;

/**
 * Etherpad makes a session of its own for everybody who comes without one, and holds an answer back until the database has it. To
 * be called before we answer ourselves: a session that holds nothing is not kept, and our answer waits for no database but ours.
 */
export function leaveEmptySession(request: IncomingMessage): void {
  const visit = request as IncomingMessage & { session?: object };
  const isEmpty = Object.keys(visit.session ?? {}).every((name) => name === 'cookie');
  if (isEmpty) visit.session = undefined;
}

/** 503 for a person or a program. */
export function answerClosed(
  request: IncomingMessage,
  response: ServerResponse,
  error = 'BACKEND.ERROR.SERVER.BUSY',
): void {
  leaveEmptySession(request);
  const html = wantsPage(request);
  response.statusCode = 503;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Retry-After', '5');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Type', html ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8');
  response.end(html ? page : JSON.stringify({ error }));
}

interface App {
  use(path: string, handler: (request: IncomingMessage, response: ServerResponse) => void): unknown;
}

interface Socket {
  emit(event: 'message', message: unknown): unknown;
}

/** Every hook of ep.json, for the case that the real ones cannot be loaded. */
export const closedHooks = {
  loadSettings(): void {},
  expressConfigure(_name: string, { app }: { app: App }): void {
    for (const path of ['/mypads', '/p', '/ro']) {
      app.use(path, (request, response) => answerClosed(request, response));
    }
  },
  preAuthorize(): undefined {},
  socketio(): void {},
  handleMessage(_name: string, { socket }: { socket: Socket }): null {
    socket.emit('message', { accessStatus: 'deny' });
    return null;
  },
  onAccessCheck(): boolean {
    return false;
  },
  importFile(): never {
    throw new Error('every pad is closed');
  },
  clientVars(): { readonly: boolean } {
    return { readonly: true };
  },
  padLoad(): void {},
  padUpdate(): void {},
  padRemove(): void {},
  padCopy(): void {},
  padCreate(): void {},
  pluginUninstall(): void {},
  shutdown(): void {},
};

export type HookName = keyof typeof closedHooks;
