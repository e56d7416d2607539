import type { UserRecord } from '../../model/store/entities';
import type { Account, OwnUser } from '../answers';

/** An account as its owner sees it. */
export function ownUser(user: UserRecord): OwnUser {
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
    ctime: user.ctime,
    bookmarks: { groups: user.bookmarks.groups, pads: user.bookmarks.pads },
    groups: user.groups,
  };
}

/** An account for a server administrator. If it is not active, it says why. */
export function administeredUser(user: UserRecord): Account {
  return {
    ...ownUser(user),
    closed: user.closed === true,
    unconfirmed: !user.active && user.closed !== true && user.unconfirmedUntil !== undefined,
    addressTaken: user.addressTaken === true,
  };
}
