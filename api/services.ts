import type { Model } from '../model/model';
import type { Limits } from '../web/rateLimit';
import type { PadOfReadOnlyId } from './routingKey';

/** The people who have a pad open, each counted once: the ids of accounts, and the number of guests. */
export interface PeopleInPad {
  people: readonly string[];
  guests: number;
}

/** Dependencies of the routes of every resource. */
export interface Services {
  model: Model;
  limits: Limits;
  /** Whether a trusted proxy is in front of the server. */
  trustsProxy: () => boolean;
  /** Who has pads open, without pads that nobody has open. May be a second old. */
  peopleInPads: () => ReadonlyMap<string, PeopleInPad>;
  padOfReadOnlyId: PadOfReadOnlyId;
}
