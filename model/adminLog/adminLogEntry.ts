/** Which events the administration log keeps, and as which entry. */
import type { DomainEvent } from '../events';

type Kind = `${DomainEvent['about']} ${DomainEvent['what']}`;

const actions = {
  'signIn signedIn': 'signedIn',
  'signIn signedOut': 'signedOut',
  'signIn signInRefused': 'signInRefused',
  'configuration changed': 'settingChanged',
  'configuration reset': 'settingReset',
  'mail testSent': 'testMailSent',
  'user created': 'accountCreated',
  'user changed': 'accountChanged',
  'user removed': 'accountRemoved',
  'user sessionsEnded': 'sessionsEnded',
  'user factorsReset': 'factorsReset',
  'user exported': 'dataExported',
  'apiToken created': 'tokenCreated',
  'apiToken ended': 'tokenEnded',
  'group created': 'groupCreated',
  'group changed': 'groupChanged',
  'group removed': 'groupRemoved',
  'group trashed': 'groupRemoved',
  'group restored': 'groupRestored',
  'pad created': 'padCreated',
  'pad changed': 'padChanged',
  'pad removed': 'padRemoved',
  'pad trashed': 'padRemoved',
  'pad restored': 'padRestored',
  'pad chatRemoved': 'chatRemoved',
  'groupRules changed': 'groupRulesChanged',
  'directorySync begun': 'directorySyncBegun',
  'directorySync confirmed': 'directorySyncConfirmed',
  'limit lifted': 'limitLifted',
  'job run': 'jobRun',
  'job cancelled': 'jobCancelled',
  'index rebuilt': 'indexRebuilt',
} as const satisfies { readonly [kind in Kind]?: string };

export type AdminAction = (typeof actions)[keyof typeof actions] | 'imported';

export const adminActions: readonly AdminAction[] = [...new Set(Object.values(actions)), 'imported'];

export const adminObjects = ['setting', 'user', 'group', 'pad'] as const;
export type AdminObjectKind = (typeof adminObjects)[number];

export interface AdminObject {
  kind: AdminObjectKind;
  /** The id; for a setting, its key. Missing for a person whose account has been removed. */
  id?: string;
  /** Only for a folder or pad that was removed. */
  name?: string;
}

export interface AdminEntry {
  /** Milliseconds since 1970. */
  time: number;
  action: AdminAction;
  /** The administrator's name at Etherpad. Missing for a refused sign-in with a name that no administrator has. */
  by?: string;
  /** The name of the API token with which they did it. */
  token?: string;
  object?: AdminObject;
  /** Names of the fields that were changed. */
  changed?: string[];
  /** For `imported`: what the changes of one import have in common. */
  import?: string;
  /** For refused sign-ins and imports: how many, and the time of the last one. `time` is that of the first one. */
  count?: number;
  until?: number;
}

/** The changes that share one entry if they belong to an import, with the fields that they may change. */
const importable: { readonly [action in AdminAction]?: readonly string[] } = {
  accountCreated: [],
  accountChanged: ['firstname', 'lastname', 'organization', 'active'],
  groupCreated: [],
  groupChanged: ['name', 'admins', 'users', 'readers'],
};

function isImportable(action: AdminAction, changed: readonly string[] = []): boolean {
  const fields = importable[action];
  return fields !== undefined && changed.every((name) => fields.includes(name));
}

function objectOf(event: DomainEvent): AdminObject | undefined {
  switch (event.about) {
    case 'group':
    case 'pad':
      return {
        kind: event.about,
        id: event.id,
        ...((event.what === 'removed' || event.what === 'trashed') && { name: event.before?.name }),
      };
    case 'user':
      return { kind: 'user', ...(event.what !== 'removed' && { id: event.id }) };
    case 'configuration':
      return { kind: 'setting', id: event.key };
    case 'apiToken':
      return event.account === undefined ? undefined : { kind: 'user', id: event.account };
    case 'limit':
      return event.object;
    default:
      return undefined;
  }
}

function actionOf(event: DomainEvent): AdminAction | undefined {
  const isConsequence = event.partOf !== undefined && !(event.about === 'group' && event.what === 'removed');
  const known: { readonly [kind in Kind]?: AdminAction } = actions;
  return isConsequence ? undefined : known[`${event.about} ${event.what}` as Kind];
}

/** `undefined` if the event is not for the administration log. */
export function adminLogEntryOf(event: DomainEvent): AdminEntry | undefined {
  const { time, by } = event;
  const action = actionOf(event);
  if (!action) return undefined;
  if (event.about === 'signIn' && event.what === 'signInRefused') {
    return { time, action, by: event.administrator };
  }
  if (by.kind !== 'administrator') return undefined;
  const changed = 'changed' in event ? event.changed : undefined;
  const isImported = by.import !== undefined && isImportable(action, changed);
  const who = { by: by.name, ...(by.token !== undefined && { token: by.token }) };
  return isImported
    ? { time, action: 'imported', ...who, import: by.import }
    : { time, action, ...who, object: objectOf(event), changed };
}
