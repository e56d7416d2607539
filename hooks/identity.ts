/** Under which name and colour a person appears in pads. */
import type { Visitor } from '../model/door';
import type { House } from './house';

/** Names the editor's author as the account says, if its owner wants that. A failure is logged, not thrown. */
export async function introduce(
  house: House,
  authorId: string | undefined,
  visitor: Visitor | undefined,
): Promise<void> {
  if (!authorId || visitor?.actor.kind !== 'user') return;
  try {
    const user = await house.model.users.get(visitor.actor.id);
    if (!user?.useLoginAndColorInPads) return;
    const fullName = `${user.firstname} ${user.lastname}`.trim();
    const useFullName = house.model.configuration.get('useFirstLastNameInPads') && fullName !== '';
    await house.authors.introduce(
      authorId,
      useFullName ? fullName : user.padNickname || user.login,
      user.color,
    );
  } catch (error) {
    house.log.warn('an author was not named', { error: String(error) });
  }
}
