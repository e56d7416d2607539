/**
 * The product over real HTTP: with an embedded ueberDB in the test's process (inProcess.ts) or, with `API_HOST=1`, in a
 * real Etherpad (onEtherpad.ts). Tests use the same `TestApp` for both.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest, { type Agent } from 'supertest';
import type { App, AppOptions } from '../../api/app';
import type { Model } from '../../model/model';
import type { Database } from '../../model/ports';
import { noteAnswer } from './answered';
import { type Document, readDocument } from './document';
import { startInProcess } from './inProcess';
import { type Answer, type Secrets, watchAnswers } from './leaks';
import { overNetwork } from './network';
import { startOnEtherpad } from './onEtherpad';
import type { LogLine, PortsOptions, TestPorts } from './ports';
import type { Fault, ServerOperation } from './serverFaults';

export { createTestPorts, type LogLine, type PortsOptions, type TestPorts } from './ports';

/** One running product. In a real Etherpad, `model` is a second one in the test's process, on the same database. */
export interface TestApp {
  /** Sends requests to the API: `app.agent.post('/api/auth/login')`. Keeps no cookies. */
  readonly agent: Agent;
  readonly handler: App;
  /** Reads and writes what is stored. */
  readonly model: Model;
  readonly ports: TestPorts;
  /** Signs an account of the settings file in to Etherpad itself, as at /admin. Returns the `Cookie` header. */
  signInAtHost(login: string): Promise<string>;
  /** The log so far. With a real Etherpad it includes what Etherpad has printed. */
  lines(): Promise<LogLine[]>;
  /** Resolves when this message is in the log. */
  said(message: string): Promise<void>;
  /** Injects a fault into the running server, such as a database that fails. `{ fault: 'none' }` ends all faults. */
  inject(fault: Fault): Promise<void>;
  /** The operations of the server since the last call of this function. */
  operations(): Promise<ServerOperation[]>;
  /** Makes Etherpad read its settings file again, after a change of `plugin` or `ports.accounts`. */
  readSettings(): Promise<void>;
  /** Resolves when all accounts have been indexed. */
  ready(): Promise<void>;
  /** Resolves when work that continues after an answer has finished, such as removals. */
  idle(): Promise<void>;
  /** Runs the hourly check of unconfirmed accounts. Returns what it did. */
  sweep(): Promise<ServerOperation[]>;
  /** Stops the product and starts it again on the same database. */
  restart(): Promise<void>;
  /** Starts a web server with the product at `/mypads` and its access check for pads. `url` has no slash at the end. */
  listen(): Promise<{ url: string; close(): Promise<void> }>;
  /** Writes this number of messages into the chat of a pad. */
  chat(padId: string, messages: number): Promise<void>;
  readText(padId: string): Promise<string>;
  writeText(padId: string, text: string): Promise<void>;
  /** Stops the product and closes the database. */
  close(): Promise<void>;
}

export interface StartOptions extends Partial<Omit<AppOptions, 'model' | 'limits'>>, PortsOptions {
  /** Rate limits are multiplied by this number. */
  limitFactor?: number;
  /** Writes records before the model starts, as of an old database. */
  prepare?: (database: Database) => Promise<void>;
  /** Searches through keys wait from the start, until `app.inject` ends that. */
  held?: boolean;
  /** The cost of hashing a password. It is low without this, so that tests are fast. */
  hashingRounds?: number;
}

/** The description of the API, read once per process, because it is always the same. */
let document: Promise<Document> | undefined;

/** The same application; every answer is checked against the description (document.ts) and for secrets (leaks.ts). */
async function watched(app: App, secrets?: Secrets): Promise<App> {
  document ??= readDocument(supertest(app));
  const { faultOf, callOf } = await document;
  const check = (answer: Answer): string | undefined => {
    const fault = faultOf(answer);
    if (fault === undefined) noteAnswer(callOf(answer.method, answer.path), answer);
    return fault;
  };
  return watchAnswers(app, check, secrets);
}

/** Starts the product. `limitFactor` is 1,000 by default. */
export function startApp(options: StartOptions = {}): Promise<TestApp> {
  return overNetwork ? startOnEtherpad(options, watched) : startInProcess(options, watched);
}

/** A product that hooks start: it can be used only while it runs. */
function startedByHooks(
  options: StartOptions | undefined,
  start: (work: () => Promise<void>) => void,
  stop: (work: () => Promise<void> | undefined) => void,
): TestApp {
  let started: TestApp | undefined;
  start(async () => {
    started = await startApp(options);
  });
  stop(() => started?.close());
  return new Proxy({} as TestApp, { get: (_, name) => Reflect.get(started ?? {}, name) });
}

/** One product for all tests of a `describe`. */
export const useTestApp = (options?: StartOptions): TestApp => startedByHooks(options, before, after);

/** A new product for each test of a `describe`. */
export const useTestAppForEach = (options?: StartOptions): TestApp =>
  startedByHooks(options, beforeEach, afterEach);

export interface ListeningApp {
  app: TestApp;
  /** Without a slash at the end. */
  url: string;
  close(): Promise<void>;
}

/** `startApp` with a server on a port of its own, for programs that call it. */
export async function startListeningApp(options: StartOptions = {}): Promise<ListeningApp> {
  const app = await startApp(options);
  const host = await app.listen();
  const close = async (): Promise<void> => {
    await host.close();
    await app.close();
  };
  return { app, url: host.url, close };
}

/** Makes a temporary folder. `remove` deletes it with everything in it. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'mypads-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
