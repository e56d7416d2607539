/** Everything the hooks work with, from the moment it is complete. */

import type { App } from '../api/app';
import type { Limits } from '../api/middleware/rateLimit';
import type { Authors } from '../host/authors';
import type { PadNames } from '../host/pads';
import type { Model } from '../model/model';
import type { EditorPads, Log } from '../model/ports';

export interface House {
  model: Model;
  pads: EditorPads;
  names: PadNames;
  authors: Authors;
  log: Log;
  limits: Limits;
  /** Does a trusted proxy stand before us, as the host's settings or ours say? */
  trustsProxy: () => boolean;
  /** The API and the page, mounted at /mypads. */
  app: App;
}

let house: House | undefined;

/** `undefined` until everything is ready, and when it could not be made: then every pad is closed. */
export function openHouse(): House | undefined {
  return house;
}

export function setHouse(value: House | undefined): void {
  house = value;
}
