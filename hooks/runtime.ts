/** What the hooks work with. It exists from the end of start-up until shutdown. */
import type { App } from '../api/app';
import type { SharedPads } from '../cluster/sharedPads';
import type { Authors } from '../host/authors';
import type { PadIds } from '../host/padIds';
import type { Model } from '../model/model';
import type { EditorPads, Log, Schedule } from '../model/ports';
import type { Limits } from '../web/rateLimit';

export interface Runtime {
  model: Model;
  pads: EditorPads;
  padIds: PadIds;
  authors: Authors;
  log: Log;
  schedule: Schedule;
  limits: Limits;
  /** Do Etherpad's settings or ours say that requests come through a trusted proxy? */
  trustsProxy: () => boolean;
  /** Which process has a pad. `undefined`: this one has all. */
  padSharing: SharedPads | undefined;
  /** The API and the page, mounted at /mypads. */
  app: App;
  /** Stops the model and gives up what is shared with other processes. */
  close(): Promise<void>;
}

let runtime: Runtime | undefined;

/** `undefined` until start-up has finished, after it failed and after shutdown. Every pad is closed then. */
export function currentRuntime(): Runtime | undefined {
  return runtime;
}

export function setRuntime(value: Runtime | undefined): void {
  runtime = value;
}
