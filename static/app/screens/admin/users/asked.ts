/** The fields of an account that screens and dialogs need. */

import type { AdminUsersAnswer } from '../../../../../api/admin/schema';
import type { Account } from '../../../../../api/answers';
import { displayName } from '../../../components/Avatar';

/** An account in a list. */
export type ListedUser = AdminUsersAnswer['users'][number];
/** The fields that menus and dialogs about an account need. `secondFactor`: known in lists only. */
export type AskedUser = Pick<Account, '_id' | 'login' | 'firstname' | 'lastname' | 'active'> &
  Partial<Pick<ListedUser, 'secondFactor'>>;

/** The name of an account in sentences. */
export function nameOfUser(user: Pick<AskedUser, 'login' | 'firstname' | 'lastname'>): string {
  return displayName({ ...user, color: '' });
}
