import { type Actor, mayAdministrate } from '../../model/access/permissions';
import type { Model } from '../../model/model';
import type { Detached } from '../../model/removal/accountCleanup';
import { signInMethods } from '../../model/signin/methods';
import type { GroupRecord, UserRecord } from '../../model/store/entities';
import { peopleOf } from '../../model/store/records';
import type { Account, OwnUser } from '../answers';
import type { RemovalAnswer } from './schema';

type Shown = Pick<Model, 'methods' | 'referenceCleanup'>;

/** Who checks the password of the account. */
function passwordAt({ methods }: Shown, user: UserRecord): OwnUser['passwordAt'] {
  const method = methods.passwordMethodOf(user);
  if (method === undefined) return 'none';
  return signInMethods[method].passwords === 'here' ? 'here' : 'directory';
}

/** An account as its owner sees it, without what has been removed. */
export function ownUser(model: Shown, record: UserRecord): OwnUser {
  const user = model.referenceCleanup.withoutRemoved(record);
  return {
    _id: user._id,
    login: user.login,
    email: user.email,
    ...(user.pendingEmail ? { pendingEmail: user.pendingEmail.address } : {}),
    firstname: user.firstname,
    lastname: user.lastname,
    organization: user.organization,
    color: user.color,
    padNickname: user.padNickname,
    lang: user.lang,
    active: user.active,
    useLoginAndColorInPads: user.useLoginAndColorInPads,
    hideHelp: user.hideHelp,
    singleKeys: user.singleKeys !== false,
    mailWhenAdded: user.mailWhenAdded !== false,
    passwordAt: passwordAt(model, user),
    ctime: user.ctime,
    bookmarks: { groups: user.bookmarks.groups, pads: user.bookmarks.pads },
    groups: user.groups,
  };
}

/** An account for a server administrator. If it is not active, it says why. */
function administeredUser(model: Shown, user: UserRecord): Account {
  return {
    ...ownUser(model, user),
    closed: user.closed === true,
    unconfirmed: !user.active && user.closed !== true && user.unconfirmedUntil !== undefined,
    addressTaken: user.addressTaken === true,
  };
}

/** An account as the caller may see it, without what has been removed. */
export function shownAccount(model: Shown, actor: Actor, user: UserRecord): Account {
  return mayAdministrate(actor) ? administeredUser(model, user) : ownUser(model, user);
}

/** What goes with the account of this person (user id), by name. `trashed`: also these groups in the trash. */
export function presentRemoved(
  { removed, left }: Detached,
  owner: string,
  trashed?: readonly GroupRecord[],
): RemovalAnswer['removed'] {
  const people = new Set(removed.flatMap(peopleOf).filter((person) => person !== owner));
  const groups = removed
    .map((group) => ({
      _id: group._id,
      name: group.name,
      pads: group.pads.length,
      people: peopleOf(group).filter((person) => person !== owner).length,
    }))
    .sort((one, other) => one.name.localeCompare(other.name));
  const fromTrash = trashed?.map(({ _id, name, pads }) => ({ _id, name, pads: pads.length }));
  return { groups, people: people.size, left, ...(fromTrash && { trashed: fromTrash }) };
}
