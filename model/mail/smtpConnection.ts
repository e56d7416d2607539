/** Connections to the operator's mail server: how many at a time, and for how long. */
import { connect, type Socket } from 'node:net';
import nodemailer from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import pLimit from 'p-limit';
import { MyPadsError } from '../errors';
import { withinTime } from '../timeLimit';
import type { Smtp } from './smtpSettings';

/**
 * Time limits in milliseconds. `start`: for connecting, and again for the greeting. `step`: between two replies;
 * servers may scan a mail before they accept it. `total`: for one mail.
 */
export interface MailTimes {
  start: number;
  step: number;
  total: number;
}

type Work<T> = (transport: nodemailer.Transporter<SMTPTransport.SentMessageInfo>) => Promise<T>;

const maxConnections = 5;
const maxWaiting = 50;

/** The sockets that are open, and whether new ones may be opened. */
function createSockets(times: MailTimes) {
  const sockets = new Set<Socket>();

  /** Connects a socket of our own, so that the total time limit can close it and the system resolves the name. */
  function openSocket(
    smtp: Smtp,
    done: (error: Error | null, options?: { connection: Socket }) => void,
  ): Socket {
    const socket = connect({ host: smtp.host, port: smtp.port, noDelay: true });
    const failed = (error: Error): void => done(error);
    const timer = setTimeout(() => socket.destroy(new Error('connection timed out')), times.start);
    sockets.add(socket);
    // After the change to TLS, nothing else listens for errors of the plain socket, and one would end the process.
    socket.on('error', () => {});
    socket.once('error', failed);
    socket.once('close', () => {
      clearTimeout(timer);
      sockets.delete(socket);
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', failed);
      done(null, { connection: socket });
    });
    return socket;
  }

  return { open: openSocket, sockets };
}

/** `certificateAuthorities`: trusted PEM certificates, instead of the system's. */
export function createSmtpConnections(times: MailTimes, certificateAuthorities?: string[]) {
  const { open, sockets } = createSockets(times);
  const turns = pLimit(maxConnections);
  let closed = false;

  /** Runs `work` over one connection, for at most `total`. */
  async function run<T>(smtp: Smtp, work: Work<T>): Promise<T> {
    if (closed) throw new Error('the server is stopping');
    let socket: Socket | undefined;
    const options: SMTPTransport.Options = {
      host: smtp.host,
      port: smtp.port,
      secure: smtp.encryption === 'tls',
      requireTLS: smtp.encryption === 'starttls',
      ignoreTLS: smtp.encryption === 'none',
      auth: smtp.auth,
      tls: certificateAuthorities && { ca: certificateAuthorities },
      connectionTimeout: times.start,
      greetingTimeout: times.start,
      socketTimeout: times.step,
      disableFileAccess: true,
      disableUrlAccess: true,
      getSocket: (_options, done) => {
        socket = open(smtp, done);
      },
    };
    const transport = nodemailer.createTransport(options);
    try {
      return await withinTime(work(transport), times.total, () => {
        socket?.destroy();
        return new Error('sending timed out');
      });
    } finally {
      socket?.destroySoon();
    }
  }

  return {
    run,
    /** As `run`, after waiting for its turn for at most `total`. Throws SERVER.BUSY when too many wait already. */
    async runInTurn<T>(smtp: Smtp, work: Work<T>): Promise<T> {
      const until = performance.now() + times.total;
      if (turns.pendingCount >= maxWaiting) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
      return turns(() => {
        if (performance.now() > until) throw new Error('timed out while waiting for a connection');
        return run(smtp, work);
      });
    },
    /** The number of mails that wait for a connection. */
    waiting: () => turns.pendingCount,
    /** Closes all connections. New ones fail. */
    close(): void {
      closed = true;
      for (const socket of sockets) socket.destroy(new Error('the server is stopping'));
    },
  };
}
