/** The values of the share dialog, apart from the list of people. */

import type { Group, Pad } from '../../../../api/answers';
import type { Visibility } from '../../../../model/store/entities';
import type { NextRole } from './changes';

/** `folder`: a pad follows its folder. */
export type Choice = Visibility | 'folder';

/** The fields of the dialog. `null` and missing roles mean no change. */
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
