import type { Handlers } from '../calls';
import type { Services } from '../services';

/** Numbers of accounts, groups and pads. */
export const statsHandlers = ({ model: { recordIndex } }: Services) =>
  ({ 'GET /stats/stats.json': () => recordIndex.counts() }) satisfies Partial<Handlers>;
