/** The part of cas-authentication 0.0.8 that we use; it brings no types. */
declare module 'cas-authentication' {
  import type { EventEmitter } from 'node:events';
  import type { RequestOptions } from 'node:http';

  interface Options {
    cas_url: string;
    service_url: string;
    cas_version?: '1.0' | '2.0' | '3.0' | 'saml1.1';
    /** Where in the session the user is kept. */
    session_name?: string;
    /** Where in the session the attributes are kept; versions 2.0 and 3.0 only. */
    session_info?: string;
  }

  /** The response that the library listens to. */
  interface Answer extends EventEmitter {
    setEncoding(encoding: string): void;
  }

  /** The part of `http` or `https` that the library calls. */
  interface RequestClient {
    request(options: RequestOptions, respond: (answer: Answer) => void): EventEmitter & { end(): void };
  }

  interface Request {
    url: string;
    query: { ticket: string };
    session: Record<string, unknown>;
  }

  interface Response {
    redirect(address: unknown): void;
    sendStatus(status: number): void;
  }

  namespace CASAuthentication {
    export type { Answer, Options, Request, RequestClient, Response };
  }

  class CASAuthentication {
    constructor(options: Options);
    cas_port: number;
    cas_path: string;
    request_client: RequestClient;
    /** Validates the ticket of the request: `redirect` when it is good, `sendStatus(401)` when not. */
    bounce(request: Request, response: Response, next: () => void): void;
  }

  export = CASAuthentication;
}
