import type { Model } from '../model/model';
import type { Limits } from '../web/rateLimit';

/** Dependencies of the routes of every resource. */
export interface Services {
  model: Model;
  limits: Limits;
  /** Whether a trusted proxy is in front of the server. */
  trustsProxy: () => boolean;
}
