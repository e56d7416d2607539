/** Rules that make groups of a directory members of groups. */
import type { PeopleList, SyncPlan } from '../../model/people/directoryRun';
import type { LastRun } from '../../model/people/directorySync';
import type { PreviewList } from '../../model/rules/rulePreview';
import type { SentRule, StoredRules } from '../../model/rules/ruleRecord';
import { listOfRole, type MemberList, roleOfList } from '../../model/store/entities';
import { nextSlice, sliceUsed } from '../../model/store/timeSlice';
import type { Handlers } from '../calls';
import { presentPerson } from '../group/presenter';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';
import type { CheckedGroupRule, GroupRulesAnswer, SyncPreview, SyncState } from './schema';

const roleOf = (list: MemberList | undefined) => (list === undefined ? null : roleOfList[list]);

const sentRule = (rule: CheckedGroupRule): SentRule => ({
  ...rule,
  absentIsEmpty: rule.source === 'ldap' || rule.absentIsEmpty,
  role: listOfRole[rule.role],
});

const shownChanges = ({ count, rows }: PreviewList) => ({
  count,
  rows: rows.map(({ user, group: { _id = null, name }, before, after }) => ({
    user: user._id,
    folder: _id,
    name,
    before: roleOf(before),
    after: roleOf(after),
  })),
});

/** With the usernames of managers, and the groups. */
async function present({ model }: Services, { version, rules }: StoredRules): Promise<GroupRulesAnswer> {
  const managers = await model.users.findMany([...new Set(rules.flatMap((rule) => rule.managers ?? []))]);
  const groups = await model.groups.findMany(rules.flatMap(({ folder }) => folder ?? []));
  const people: Record<string, number> = Object.fromEntries(rules.map((rule) => [rule.id, 0]));
  for (const { byRule } of groups.values()) {
    if (sliceUsed()) await nextSlice();
    for (const grant of byRule?.values() ?? [])
      for (const id of Object.keys(grant.rules)) if (people[id] !== undefined) people[id] += 1;
  }
  return {
    version,
    rules: rules.map((rule) => ({
      ...(rule as unknown as CheckedGroupRule),
      role: roleOfList[rule.role],
      ...(rule.managers && { managers: rule.managers.flatMap((id) => managers.get(id)?.login ?? []) }),
    })),
    folders: Object.fromEntries([...groups].map(([id, { _id, name }]) => [id, { _id, name }])),
    people,
  };
}

const shownAccounts = ({ count, rows }: PeopleList) => ({ count, rows: rows.map(({ _id }) => _id) });

/** A run that has failed has counted nothing. */
const shownLast = ({ error, ...run }: LastRun): NonNullable<SyncState['last']> => ({
  ...{ read: 0, accounts: 0, changed: 0, absent: 0, gained: 0, lost: 0, activated: 0, deactivated: 0 },
  ...run,
  error: error ?? null,
});

async function presentSync({ model }: Services): Promise<SyncState> {
  const { running, last, waiting = null } = await model.directorySync.state();
  return { running, last: last ? shownLast(last) : null, waiting };
}

function presentPlan({ model }: Services, plan: SyncPlan): SyncPreview {
  const { id, read, accounts, changed, absent, gains, losses, activated, deactivated } = plan;
  const users = [...gains.rows, ...losses.rows].map(({ user }) => user);
  const shown = [...users, ...activated.rows, ...deactivated.rows];
  const people = plan.taken.size;
  return {
    ...{ id, read, accounts, changed, absent, people },
    gains: shownChanges(gains),
    losses: shownChanges(losses),
    activated: shownAccounts(activated),
    deactivated: shownAccounts(deactivated),
    users: Object.fromEntries(shown.map((user) => [user._id, presentPerson(user, 'full')])),
    needsConfirmation: people > model.configuration.get('directorySyncLimit'),
  };
}

export const ruleHandlers = (services: Services) => {
  const { directorySync, groupRules, log } = services.model;
  return {
    'GET /admin/group-rules': async () => present(services, await groupRules.read()),

    async 'PUT /admin/group-rules'({ body }, request) {
      const stored = await groupRules.save(body.rules.map(sentRule), body.version);
      log.info('group rules changed', { rules: stored.rules.length, ...callerFacts(request) });
      return { success: true as const, ...(await present(services, stored)) };
    },

    async 'POST /admin/group-rules/preview'({ body }) {
      const { gains, losses, known } = await groupRules.preview(body.rules.map(sentRule));
      const users = [...gains.rows, ...losses.rows].map(({ user }) => user);
      return {
        gains: shownChanges(gains),
        losses: shownChanges(losses),
        users: Object.fromEntries(users.map((user) => [user._id, presentPerson(user, 'full')])),
        known,
      };
    },

    'GET /admin/directory/sync': () => presentSync(services),

    async 'POST /admin/directory/sync'({ body: { preview, confirm } }, request) {
      if (preview) {
        const shown = presentPlan(services, await directorySync.preview());
        return { success: true as const, ...(await presentSync(services)), preview: shown };
      }
      await directorySync.begin(confirm);
      log.info('directory sync asked for', { confirmed: confirm !== undefined, ...callerFacts(request) });
      return { success: true as const, ...(await presentSync(services)) };
    },
  } satisfies Partial<Handlers>;
};
