import type { Model } from '../model/model';
import type { Limits } from '../web/rateLimit';

/** Everybody who has a pad open, each once: the ids of accounts, and the number of others. */
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
  peopleInPad: (pad: string) => PeopleInPad;
}
