/** Rows of the lists for server administrators. */

import { effectiveSettings } from '../../model/access/permissions';
import type { Configuration } from '../../model/settings/configuration';
import { settings as definitions } from '../../model/settings/definitions';
import type { GroupRecord, PadRecord, UserRecord } from '../../model/store/entities';
import type { Person } from '../answers';
import { changeableSettings } from '../configuration/settings';
import type { AdminGroup, AdminPad, AdminSettingsAnswer } from './schema';

function presentPerson({ _id, login, color, firstname, lastname, email }: UserRecord): Person {
  return { _id, login, color, firstname, lastname, email };
}

/** `people`: the accounts that still exist. */
export function groupRow(
  group: GroupRecord,
  people: Map<string, UserRecord>,
  facts: { padCount: number; lastUpdate: number },
): AdminGroup {
  const admins = group.admins.map((id) => people.get(id)).filter((user) => user !== undefined);
  return {
    _id: group._id,
    name: group.name,
    visibility: group.visibility,
    readonly: group.readonly,
    archived: group.archived,
    tags: group.tags,
    ctime: group.ctime,
    lastUpdate: facts.lastUpdate,
    admins: admins.map(presentPerson),
    memberCount: group.users.length,
    padCount: facts.padCount,
  };
}

/** `lastUpdate`: `null` if nobody has written in the pad yet. */
export function padRow(pad: PadRecord, group: GroupRecord, lastUpdate: number | null): AdminPad {
  const { visibility, readonly } = effectiveSettings(pad, group);
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
  };
}

/** Built-in settings are left out, because no form can change them. */
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
