import type { ConfigurationValues } from '../../model/configuration';
import type { UserRecord } from '../../model/entities';

/**
 * The name and colour under which a person writes (screens.md 1.3): first and last name where the server says so and somebody has one,
 * else nickname or login of whoever wants that. Empty: none of ours; a guest has none.
 */
export function padIdentity(
  user: UserRecord | undefined,
  { useFirstLastNameInPads }: Pick<ConfigurationValues, 'useFirstLastNameInPads'>,
): { userName: string; userColor: string } {
  if (user === undefined || !(useFirstLastNameInPads || user.useLoginAndColorInPads)) {
    return { userName: '', userColor: '' };
  }
  const fullName = `${user.firstname} ${user.lastname}`.trim();
  const nickname = user.padNickname || user.login;
  const userName = useFirstLastNameInPads ? fullName || nickname : nickname;
  return { userName, userColor: user.color };
}
