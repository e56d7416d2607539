/** The values of the share dialog, and what its form is given. */
import type { AccessAnswer } from '../../../../api/access/schema';
import type { Group, Pad } from '../../../../api/answers';
import type { GrantRole, Visibility } from '../../../../model/store/entities';
import type { OpenFolder } from '../folders/FolderScreen';
import type { AddedAs, NextPadRole, NextRole, PadPeople } from './changes';

/** `folder`: a pad follows its folder. */
export type Choice = Visibility | 'folder';

/** The fields of the dialog. `null` and missing roles mean no change. */
export interface ShareValues {
  entries: string[];
  roles: Readonly<Record<string, NextRole>>;
  /** New roles of people with whom the pad alone is shared, by id. */
  padRoles: Readonly<Record<string, NextPadRole>>;
  visibility: Choice | null;
  password: string;
}

/** Those in the list of who can open the pad. */
export function padPeopleIn(answer: AccessAnswer): PadPeople {
  const rows = answer.value.filter(({ why }) => why === 'pad');
  const roles = Object.fromEntries(rows.map(({ user = '', role }) => [user, role as GrantRole]));
  return { roles, people: rows.flatMap(({ user = '' }) => answer.users[user] ?? []) };
}

/** Who can open a folder or pad now. */
export function choiceOf(group: Group, pad: Pad | undefined): Choice {
  return pad === undefined ? group.visibility : (pad.visibility ?? 'folder');
}

/** State of the form. When it has saved something and stays open, it starts again with a new one. */
export interface ShareRound {
  number: number;
  /** The role that is offered for people to add. */
  as: AddedAs;
  /** Entries of the last attempt without an account that cannot be invited either. */
  absent: readonly string[];
  /** Addresses without an account that can be invited. */
  invitable: readonly string[];
  /** Whether the last attempt also copied the link. */
  copied: boolean;
}

export interface ShareFormProps {
  folder: OpenFolder;
  /** Missing if the folder itself is shared. */
  pad: Pad | undefined;
  round: ShareRound;
  onStay: (next: Omit<ShareRound, 'number'>) => void;
  onCancel: () => void;
  onClose: () => void;
}
