/** What follows for invitations when people got a group or a pad in another way. */
import { isUnproved } from '../accounts/unprovedAddress';
import type { Users } from '../accounts/user';
import type { GroupRecord } from '../store/entities';

export interface JoinedPeopleContext {
  users: Pick<Users, 'findMany'>;
  invitations: { endFor(group: string, addresses: readonly string[], pad?: string): Promise<void> };
}

/**
 * Ends the invitations of people who are in the group now, or have this pad: otherwise an old mail would let them in
 * again. `group`: as it is then. An address that nobody has proved may be that of somebody else.
 */
export async function endInvitationsOf(
  { users, invitations }: JoinedPeopleContext,
  people: readonly string[],
  group: GroupRecord,
  pad?: string,
): Promise<void> {
  if (group.invitations.length === 0 || people.length === 0) return;
  const accounts = [...(await users.findMany([...people])).values()];
  const proved = accounts.filter((account) => !isUnproved(account));
  await invitations.endFor(
    group._id,
    proved.map(({ email }) => email),
    pad,
  );
}
