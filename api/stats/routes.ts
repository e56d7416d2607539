import type { Handlers } from '../calls';
import type { Services } from '../services';

/** Numbers of accounts, groups and pads. */
export const statsHandlers = ({ model: { statistics } }: Services) =>
  ({ 'GET /stats/stats.json': () => statistics.current() }) satisfies Partial<Handlers>;
