/** Rows of the lists for server administrators. */

import { effectiveSettings } from '../../model/access/permissions';
import type { Configuration } from '../../model/settings/configuration';
import { settings as definitions } from '../../model/settings/definitions';
import type { GroupRecord, PadRecord, UserRecord } from '../../model/store/entities';
import { changeableSettings } from '../configuration/settings';
import { outlineOf, presentPerson } from '../group/presenter';
import type { AdminGroup, AdminPad, AdminSettingsAnswer } from './schema';

/** `people`: the accounts that still exist. */
export function groupRow(
  group: GroupRecord,
  people: Map<string, UserRecord>,
  facts: { padCount: number; lastUpdate: number },
): AdminGroup {
  const admins = group.admins.map((id) => people.get(id)).filter((user) => user !== undefined);
  return {
    ...outlineOf(group),
    ctime: group.ctime,
    lastUpdate: facts.lastUpdate,
    admins: admins.map((admin) => presentPerson(admin, 'full')),
    memberCount: group.users.length + group.readers.length,
    padCount: facts.padCount,
  };
}

/** `lastUpdate`: `null` if nobody has written in the pad yet. `people`: the accounts that still exist. */
export function padRow(
  pad: PadRecord,
  group: GroupRecord,
  lastUpdate: number | null,
  people: ReadonlyMap<string, UserRecord>,
): AdminPad {
  const { visibility, readonly } = effectiveSettings(pad, group);
  const editor = typeof pad.lastEditor === 'string' ? people.get(pad.lastEditor) : pad.lastEditor;
  return {
    _id: pad._id,
    name: pad.name,
    group: group._id,
    groupName: group.name,
    visibility,
    readonly,
    archived: group.archived,
    ctime: pad.ctime,
    lastUpdate,
    ...(editor !== undefined && { lastEditor: editor && presentPerson(editor, 'full') }),
  };
}

/** The settings that a form can change, without the built-in ones. */
export function settingList({ shown, initial, locked, secrets }: Configuration): AdminSettingsAnswer {
  const fixedByFile = locked();
  const settings = changeableSettings.map(({ key, section, schema }) => ({
    key,
    section,
    kind: definitions[key].kind,
    value: shown(key),
    default: initial(key),
    schema,
    locked: fixedByFile.includes(key),
  }));
  return { settings, secrets: secrets() };
}
