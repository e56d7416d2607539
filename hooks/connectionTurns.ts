/**
 * Answers the requests of one connection one after the other. Browsers and proxies wait for each answer anyway; a
 * program that does not would otherwise start thousands of calls at once, whose answers all wait in memory.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Line {
  answering: boolean;
  waiting: (() => void)[];
}

const lines = new WeakMap<Socket, Line>();
/** Requests that have had their turn. Etherpad 2.x and 3.x pass them through here twice. */
const begun = new WeakSet<IncomingMessage>();

function lineOf(socket: Socket): Line {
  const known = lines.get(socket);
  if (known) return known;
  const line: Line = { answering: false, waiting: [] };
  lines.set(socket, line);
  // Node reads on when it has answered a request or reads the body of one.
  socket.on('resume', () => {
    if (line.waiting.length > 0) socket.pause();
  });
  socket.once('close', () => {
    line.waiting = [];
  });
  return line;
}

/**
 * Middleware. While a request waits, nothing more is read from its connection: the bodies of those before it have
 * arrived, and its own is read at its turn.
 */
export function takeTurns(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  if (begun.has(request)) {
    next();
    return;
  }
  begun.add(request);
  const { socket } = request;
  const line = lineOf(socket);
  const begin = (): void => {
    line.answering = true;
    response.once('close', () => {
      line.answering = false;
      const following = line.waiting.shift();
      if (line.waiting.length === 0) socket.resume();
      following?.();
    });
    next();
  };
  if (!line.answering) {
    begin();
    return;
  }
  line.waiting.push(begin);
  socket.pause();
}
