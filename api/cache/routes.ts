import type { Handlers } from '../calls';
import type { Services } from '../services';

/** The login screen repeats the call until the index of accounts is complete. */
export const cacheHandlers = ({ model: { users } }: Services) =>
  ({ 'GET /cache/check': () => ({ userCacheReady: users.isReady() }) }) satisfies Partial<Handlers>;
