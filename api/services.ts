import type { Model } from '../model/model';
import type { PeopleInPad } from '../model/ports';
import type { Limits } from '../web/rateLimit';
import type { PadOfReadOnlyId } from './routingKey';

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
