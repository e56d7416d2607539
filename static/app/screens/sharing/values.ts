/** What the share dialog changes, apart from the list of people. */
import type { Group, Pad, Visibility } from '../../../../api/wire';
import type { NextRole } from './changes';

/** `folder`: a pad follows its folder. */
export type Choice = Visibility | 'folder';

/** The fields of the dialog. `null` and missing roles: as it is. */
export interface ShareValues {
  entries: string[];
  roles: Readonly<Record<string, NextRole>>;
  visibility: Choice | null;
  password: string;
}

/** Who can open a folder or pad now. */
export function choiceOf(group: Group, pad: Pad | undefined): Choice {
  return pad === undefined ? group.visibility : (pad.visibility ?? 'folder');
}

/** Whether the thing is private already and has a password, which stays if none is typed. */
export function keepsPassword(group: Group, pad: Pad | undefined): boolean {
  return choiceOf(group, pad) === 'private' && (pad ?? group).hasPassword;
}

/** Whether a password is missing: private needs one. */
export function needsPassword(
  group: Group,
  pad: Pad | undefined,
  { visibility, password }: ShareValues,
): boolean {
  return visibility === 'private' && password === '' && !keepsPassword(group, pad);
}
