/** Gives people the name and colour of their account when they open a pad. */
import { padIdentity } from '../api/pad/identity';
import type { Visitor } from '../model/access/padDecisions';
import type { Runtime } from './runtime';

/** Gives the editor's author the name and colour of the visitor's account. Failures are logged, not thrown. */
export async function showAccountName(
  { model, authors, log }: Runtime,
  authorId: string | undefined,
  visitor: Visitor | undefined,
): Promise<void> {
  if (!authorId || visitor?.actor.kind !== 'user') return;
  try {
    const useFirstLastNameInPads = model.configuration.get('useFirstLastNameInPads');
    const user = await model.users.get(visitor.actor.id);
    const { userName, userColor } = padIdentity(user, { useFirstLastNameInPads });
    if (user) await model.users.noteAuthor(user, authorId);
    await authors.setNameAndColor(authorId, userName, userColor);
  } catch (error) {
    log.warn('author name and colour not set', { error: String(error) });
  }
}
