/** The fields of an account that screens and dialogs need. */

import type { AdminUsersAnswer } from '../../../../../api/admin/schema';
import type { Account } from '../../../../../api/answers';
import { displayName } from '../../../components/Avatar';

/** An account in a list. */
export type ListedUser = AdminUsersAnswer['users'][number];
/** The fields that dialogs about an account need. */
export type AskedUser = Pick<Account, '_id' | 'login' | 'firstname' | 'lastname' | 'active'>;

/** The name of an account in sentences. */
export function nameOfUser(user: Pick<AskedUser, 'login' | 'firstname' | 'lastname'>): string {
  return displayName({ ...user, color: '' });
}
