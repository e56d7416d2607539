/** The parts of ldapjs 3.0.7, @ldapjs/filter 2.1.1 and @ldapjs/dn 1.1.0 that we use; they bring no types. */
declare module '@ldapjs/filter' {
  /** One node of a search filter. `value` is the text of a comparison, `undefined` where there is none. */
  export class FilterString {
    readonly type: string;
    readonly attribute: string;
    readonly clauses: FilterString[];
    value: string | undefined;
  }
  export class AndFilter extends FilterString {
    constructor(parts: { filters: FilterString[] });
  }
  export class OrFilter extends FilterString {
    constructor(parts: { filters: FilterString[] });
  }
  export class NotFilter extends FilterString {
    constructor(parts: { filter: FilterString });
    readonly filter: FilterString;
  }
  export class SubstringFilter extends FilterString {
    constructor(parts: { attribute: string; initial: string; any: string[]; final: string });
    readonly initial: string;
    readonly any: string[];
    readonly final: string;
  }
  /** Throws on a text that is no filter. */
  export function parseString(text: string): FilterString;
}

declare module '@ldapjs/dn' {
  export interface RelativeName {
    keys(): Iterable<string>;
    /** A text, or a reader of bytes when the name gives the value in hexadecimal. */
    getValue(name: string): unknown;
    toString(): string;
  }
  export class DN {
    readonly length: number;
    rdnAt(index: number): RelativeName;
    toString(): string;
  }
}

declare module 'ldapjs/lib/url' {
  const addresses: { parse(text: string): { hostname: string } };
  export default addresses;
}

declare module 'ldapjs' {
  import type { FilterString } from '@ldapjs/filter';

  export interface ClientOptions {
    url: string | string[];
    tlsOptions?: unknown;
    timeLimit?: number | undefined;
    strictDN?: boolean | undefined;
  }
  export class PagedResultsControl {
    constructor(parts: { value: { size: number; cookie: Buffer | null } });
    readonly value: { size: number; cookie: Buffer };
  }
  export interface SearchResult {
    readonly status: number;
    readonly controls: readonly unknown[];
  }
  export interface SearchedEntry {
    readonly pojo: { attributes: { type: string; values: string[] }[] };
  }
  export interface Search {
    on(event: 'searchEntry', listener: (entry: SearchedEntry) => void): void;
    on(event: 'error', listener: (error: Error) => void): void;
    on(event: 'end', listener: (result: SearchResult) => void): void;
  }
  export type ErrorCallback = (error: Error | null) => void;
  export class Client {
    starttls(options: unknown, controls: unknown, callback: (error: unknown) => void): void;
    on(event: string, listener: (error: unknown) => void): void;
    search(
      base: string,
      options: {
        filter: FilterString;
        scope: string;
        attributes?: string[] | undefined;
        timeLimit: number;
      },
      controls: readonly PagedResultsControl[],
      callback: (error: Error | null, result: Search) => void,
    ): void;
    bind(name: string, password: string, callback: ErrorCallback): void;
    /** This and the next methods are for tests, which change a directory. */
    modify(name: string, changes: Change[], callback: ErrorCallback): void;
    modifyDN(name: string, newName: string, callback: ErrorCallback): void;
    del(name: string, callback: ErrorCallback): void;
    add(name: string, entry: Record<string, string | string[]>, callback: ErrorCallback): void;
    unbind(): void;
  }
  /** A directory, for tests: calls the handler for each request of this kind. */
  export interface Server {
    bind(name: string, answer: Handler): void;
    search(name: string, answer: Handler): void;
    listen(port: number, host: string, done: () => void): void;
    close(done: () => void): void;
    readonly url: string;
  }
  export type Handler = (request: unknown, response: { end(): void }) => void;
  export function createServer(): Server;
  export function createClient(options: ClientOptions): Client;
  export class Attribute {
    constructor(parts: { type: string; values: string[] | undefined });
  }
  export class Change {
    constructor(parts: { operation: 'replace'; modification: Attribute });
  }
}
