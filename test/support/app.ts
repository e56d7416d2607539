/**
 * The product over real HTTP: on an embedded ueberDB in the process of the tests (inside.ts) or, with `API_HOST=1`, in a real Etherpad
 * (onHost.ts). Tests see one and the same `TestApp`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest, { type Agent } from 'supertest';
import type { App, AppOptions } from '../../api/app';
import type { Model } from '../../model/model';
import type { Database } from '../../model/ports';
import { type Document, readDocument } from './document';
import { startInside } from './inside';
import { type Secrets, watchAnswers } from './leaks';
import type { Doing, Lever } from './levers';
import { overNetwork } from './network';
import { startOnHost } from './onHost';
import type { LogLine, PortsOptions, TestPorts } from './ports';

export { createTestPorts, type LogLine, type PortsOptions, type TestPorts } from './ports';

/** One running product. Where it runs in a real Etherpad, `model` and the database are reached from outside. */
export interface TestApp {
  /** Speaks to the API over HTTP: `app.agent.post('/api/auth/login')`. Keeps no cookies. */
  readonly agent: Agent;
  readonly handler: App;
  /** Over the network one of our own on the same database: to look at what is stored, and to store what was there before. */
  readonly model: Model;
  readonly ports: TestPorts;
  /** Signs an account of the settings file in at the host itself, as at its /admin. Returns the `Cookie` header. */
  signInAtHost(login: string): Promise<string>;
  /** The log so far; over the network with what else the host has printed. */
  lines(): Promise<LogLine[]>;
  /** Resolves when this has been logged. */
  said(message: string): Promise<void>;
  /** Breaks, holds up or mends the database while the server runs. */
  pull(lever: Lever): Promise<void>;
  /** What the server has done since it was asked for the last time. */
  doings(): Promise<Doing[]>;
  /** Lets the host read its settings file again: `plugin` and `ports.accounts` may have changed. */
  readSettings(): Promise<void>;
  /** Resolves when all accounts have been indexed. */
  ready(): Promise<void>;
  /** Resolves when nothing is left to be removed behind an answer. */
  idle(): Promise<void>;
  /** Lets accounts that nobody has confirmed be looked through, as it happens every hour. Tells what has been done. */
  sweep(): Promise<Doing[]>;
  /** Stops the product and starts it anew on the same database. */
  restart(): Promise<void>;
  /** The host's web server, with us at `/mypads` and our gate before its pads. No slash at the end of `url`. */
  listen(): Promise<{ url: string; close(): Promise<void> }>;
  /** Writes so many messages into the chat of a pad, as people in the editor do. */
  chat(padId: string, messages: number): Promise<void>;
  /** Stops the product and closes the database. */
  close(): Promise<void>;
}

export interface StartOptions extends Partial<Omit<AppOptions, 'model' | 'limits'>>, PortsOptions {
  /** Widens the rate limits. */
  limitFactor?: number;
  /** Writes records of an old database before the model starts. */
  prepare?: (database: Database) => Promise<void>;
  /** Whoever looks through keys waits from the start until the database is mended (`app.pull`). */
  held?: boolean;
  /** Hashes take as long as they do outside of tests. */
  slowHashing?: boolean;
}

/** The description of the API, once per process: it is the same for every application. */
let document: Promise<Document> | undefined;

/** The same application, with every answer held against its own description (document.ts) and looked through for secrets (leaks.ts). */
async function watched(app: App, secrets?: Secrets): Promise<App> {
  document ??= readDocument(supertest(app));
  const { faultOf } = await document;
  return watchAnswers(app, faultOf, secrets);
}

/** Rate limits are widened a thousandfold unless `limitFactor` says otherwise. */
export function startApp(options: StartOptions = {}): Promise<TestApp> {
  return overNetwork ? startOnHost(options, watched) : startInside(options, watched);
}

/** A folder of its own for a test; `remove` deletes it with everything in it. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'mypads-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
