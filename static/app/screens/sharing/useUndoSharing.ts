import { useQueryClient } from '@tanstack/react-query';
import type { Group, Person } from '../../../../api/answers';
import type { InviteAnswer } from '../../../../api/group/schema';
import type { GrantRole } from '../../../../model/store/entities';
import { peopleOf } from '../../../../model/store/records';
import { type ToastOptions, toasts, useErrorToast } from '../../components/Toasts';
import { accessQuery, useSharePad } from '../../data/access';
import { useAssignRoles } from '../../data/folderChanges';
import { useTranslation } from '../../texts/i18n';
import type { NextPadRole, NextRole, PadPeople, Role } from './changes';
import { choiceOf, padPeopleIn, type ShareFormProps, type ShareValues } from './values';

/** Brings the people of a folder back to the roles that they had before: usernames by role. */
function rolesBefore(
  before: Pick<Group, Role>,
  { value: now }: { value: Pick<Group, Role> },
  people: Readonly<Record<string, Person>>,
): Record<NextRole, string[]> {
  const logins = (ids: readonly string[]): string[] => ids.flatMap((id) => people[id]?.login ?? []);
  const back = (list: Role): string[] => logins(before[list].filter((id) => !now[list].includes(id)));
  const known = peopleOf(before);
  const added = peopleOf(now).filter((id) => !known.includes(id));
  return { admins: back('admins'), users: back('users'), readers: back('readers'), removed: logins(added) };
}

/** The same for the people with whom a pad alone is shared. */
function padRolesBefore(before: PadPeople, now: PadPeople): Record<NextPadRole, string[]> {
  const back = (role: GrantRole): string[] =>
    before.people.flatMap(({ _id: id, login }) =>
      before.roles[id] === role && now.roles[id] !== role ? login : [],
    );
  const added = now.people.filter(({ _id: id }) => before.roles[id] === undefined);
  return { reader: back('reader'), writer: back('writer'), removed: added.map(({ login }) => login) };
}

/** What was saved. */
export interface SavedSharing {
  values: ShareValues;
  /** The folder with its people afterwards. Missing: they were not changed. */
  answer: Pick<InviteAnswer, 'value' | 'users'> | undefined;
  /** With whom the pad alone was shared before. Missing: nobody got or lost it. */
  shared: PadPeople | undefined;
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

  async function undo({ values, answer, shared }: SavedSharing): Promise<void> {
    try {
      if (answer !== undefined) await assign(rolesBefore(group, answer, { ...people, ...answer.users }));
      if (shared !== undefined && pad !== undefined) {
        const now = padPeopleIn(await client.fetchQuery(accessQuery({ group: group._id, pad: pad._id })));
        await sharePad(padRolesBefore(shared, now));
      }
      if (values.visibility !== null) await saveAccess({ ...values, visibility: before, password: '' });
      toasts.success(t('share.saved', { name: pad?.name ?? group.name }));
    } catch (error) {
      showError(error);
    }
  }

  return (saved) => {
    const { visibility, password } = saved.values;
    const mayShare = saved.answer?.value.abilities.share ?? true;
    const losesPassword = password !== '' || (visibility !== null && before === 'private');
    if (!mayShare || losesPassword) return undefined;
    return { label: t('action.undo'), run: () => void undo(saved) };
  };
}
