import { useQueryClient } from '@tanstack/react-query';
import type { Group, Person } from '../../../../api/answers';
import type { InviteAnswer } from '../../../../api/group/schema';
import { listWith } from '../../../../model/store/records';
import { type ToastOptions, toasts, useErrorToast } from '../../components/Toasts';
import { accessQuery, useSharePad } from '../../data/access';
import { ApiError, call } from '../../data/client';
import { useAssignRoles } from '../../data/folderChanges';
import { useTranslation } from '../../texts/i18n';
import { findPerson } from '../people/entries';
import type { NextPadRole, NextRole, PadPeople, Role } from './changes';
import { choiceOf, padPeopleIn, type ShareFormProps, type ShareValues } from './values';

/**
 * Usernames of the people whom a save has named, by the role that they had before. Others stay as they are: their roles
 * may be newer than what the page knew. `isToUndo` gets the role that was sent.
 */
function rolesBefore<Next extends string>(
  sent: Readonly<Record<Next, readonly string[]>>,
  people: readonly Person[],
  before: (id: string) => Next,
  isToUndo: (id: string, role: Next) => boolean,
): Record<Next, string[]> {
  const back = new Map<string, Next>();
  const roles = Object.keys(sent) as Next[];
  for (const role of roles)
    for (const entry of sent[role]) {
      const person = findPerson(people, entry);
      if (person && isToUndo(person._id, role)) back.set(person.login, before(person._id));
    }
  const to = (role: Next): string[] => [...back.keys()].filter((login) => back.get(login) === role);
  return Object.fromEntries(roles.map((role) => [role, to(role)])) as Record<Next, string[]>;
}

/** What was saved. */
export interface SavedSharing {
  values: ShareValues;
  /** What was sent, and the folder with its people afterwards. Missing: they were not changed. */
  assigned: { sent: Record<NextRole, string[]>; answer: Pick<InviteAnswer, 'value' | 'users'> } | undefined;
  /** What was sent, and with whom the pad alone was shared before. Missing: nobody got or lost it. */
  shared: { sent: Record<NextPadRole, string[]>; before: PadPeople } | undefined;
}

/**
 * The button of the message that the sharing was saved. `undefined` when it cannot be undone: the password that was
 * there is not known, or the person may not share any more.
 */
export function useUndoSharing(
  { folder, pad }: Pick<ShareFormProps, 'folder' | 'pad'>,
  saveAccess: (values: ShareValues) => Promise<void>,
): (saved: SavedSharing) => ToastOptions['action'] {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const client = useQueryClient();
  const { mutateAsync: assign } = useAssignRoles(folder.id);
  const { mutateAsync: sharePad } = useSharePad(pad?._id ?? '');
  const { group, people } = folder;
  const before = choiceOf(group, pad);

  async function undo({ values, assigned, shared }: SavedSharing): Promise<void> {
    try {
      // Somebody may have changed the same since then. That stays.
      const { value: now, pads } = await call('GET /group/{id}', { params: { id: group._id } });
      if (!('_id' in now)) throw new ApiError('BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT');
      if (assigned !== undefined) {
        const { sent, answer } = assigned;
        const roleIn = (lists: Pick<Group, Role>, id: string): NextRole => listWith(id, lists) ?? 'removed';
        const was = (id: string): NextRole => roleIn(group, id);
        const known = Object.values({ ...people, ...answer.users });
        const isToUndo = (id: string): boolean => {
          const saved = roleIn(answer.value, id);
          return saved !== was(id) && saved === roleIn(now, id);
        };
        await assign(rolesBefore(sent, known, was, isToUndo));
      }
      if (shared !== undefined && pad !== undefined) {
        const { sent, before: earlier } = shared;
        const query = accessQuery({ group: group._id, pad: pad._id });
        const present = padPeopleIn(await client.fetchQuery({ ...query, staleTime: 0 }));
        const was = (id: string): NextPadRole => earlier.roles[id] ?? 'removed';
        const isToUndo = (id: string, role: NextPadRole): boolean =>
          (present.roles[id] ?? 'removed') === role;
        await sharePad(rolesBefore(sent, [...present.people, ...earlier.people], was, isToUndo));
      }
      if (values.visibility !== null && values.visibility === choiceOf(now, pad && pads?.[pad._id]))
        await saveAccess({ ...values, visibility: before, password: '' });
      toasts.success(t('share.saved', { name: pad?.name ?? group.name }));
    } catch (error) {
      showError(error);
    }
  }

  return (saved) => {
    const { visibility, password } = saved.values;
    const mayShare = saved.assigned?.answer.value.abilities.share ?? true;
    const losesPassword = password !== '' || (visibility !== null && before === 'private');
    if (!mayShare || losesPassword) return undefined;
    return { label: t('action.undo'), run: () => void undo(saved) };
  };
}
