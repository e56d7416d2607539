/** What the screens and questions about accounts know of one. */

import type { AdminUsersAnswer } from '../../../../../api/admin/schema';
import type { Account } from '../../../../../api/answers';
import { displayName } from '../../../components/Avatar';

/** An account in a list. */
export type ListedUser = AdminUsersAnswer['users'][number];
/** What the questions about an account need to know of it. */
export type AskedUser = Pick<Account, '_id' | 'login' | 'firstname' | 'lastname' | 'active'>;

/** The name of an account in sentences. */
export function nameOfUser(user: Pick<AskedUser, 'login' | 'firstname' | 'lastname'>): string {
  return displayName({ ...user, color: '' });
}
