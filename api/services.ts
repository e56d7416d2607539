import type { Model } from '../model/model';
import type { Limits } from './middleware/rateLimit';

/** What every resource's routes are made with. */
export interface Services {
  model: Model;
  limits: Limits;
}
