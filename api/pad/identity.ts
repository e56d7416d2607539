import { fullName } from '../../model/fullName';
import type { ConfigurationValues } from '../../model/settings/configuration';
import type { NamedGuest, UserRecord } from '../../model/store/entities';

type Naming = Pick<ConfigurationValues, 'useFirstLastNameInPads'>;

/** Whether the person is shown by name in pads. */
export const isNamedInPads = (
  user: Pick<UserRecord, 'useLoginAndColorInPads'>,
  { useFirstLastNameInPads }: Naming,
): boolean => useFirstLastNameInPads || user.useLoginAndColorInPads;

/** The name in pads of a guest who gave it with a link: with what the link is for. */
export const guestIdentity = ({ name, link }: NamedGuest): { userName: string; userColor: string } => ({
  userName: link === '' ? name : `${name} (${link})`,
  userColor: '',
});

/**
 * A person's name and colour in pads. With `useFirstLastNameInPads`, the name is the full name, if set. Otherwise
 * it is the nickname or login. Both are empty for guests, and for people who do not want a name in pads.
 */
export function padIdentity(
  user: UserRecord | undefined,
  { useFirstLastNameInPads }: Naming,
): { userName: string; userColor: string } {
  if (user === undefined || !isNamedInPads(user, { useFirstLastNameInPads })) {
    return { userName: '', userColor: '' };
  }
  const nickname = user.padNickname || user.login;
  const userName = useFirstLastNameInPads ? fullName(user) || nickname : nickname;
  return { userName, userColor: user.color };
}
