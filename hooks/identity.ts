/** Under which name and colour a person appears in pads. */
import { padIdentity } from '../api/pad/identity';
import type { Visitor } from '../model/door';
import type { House } from './house';

/** Gives the editor's author the name and colour of the account. A failure is logged, not thrown. */
export async function introduce(
  { model, authors, log }: House,
  authorId: string | undefined,
  visitor: Visitor | undefined,
): Promise<void> {
  if (!authorId || visitor?.actor.kind !== 'user') return;
  try {
    const useFirstLastNameInPads = model.configuration.get('useFirstLastNameInPads');
    const user = await model.users.get(visitor.actor.id);
    const { userName, userColor } = padIdentity(user, { useFirstLastNameInPads });
    if (user) await model.users.noteAuthor(user, authorId);
    await authors.introduce(authorId, userName, userColor);
  } catch (error) {
    log.warn('an author was not named', { error: String(error) });
  }
}
