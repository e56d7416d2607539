/** Calls about rules that make groups of a directory members of groups. */
import * as z from 'zod';
import { limits } from '../../model/limits';
import { isAttributeName } from '../../model/rules/attributes';
import { grantRoles } from '../../model/store/entities';
import { byIds, person, success } from '../answers';
import { details, type InputSchema } from '../declaration';
import { id, loginOrEmail } from '../group/schema';

const role = z.enum(['manager', ...grantRoles]);
const one = z.string().trim().min(1);
const fields = {
  id: id
    .optional()
    .describe('Of a rule that is stored. Without it, and with another condition or group, it is a new one'),
  attribute: one.max(limits.attributeName).refine(isAttributeName),
  value: one.max(limits.attributeValue).describe('People with this value of the attribute have the role'),
  role,
  folder: id.optional().describe('Id of the group. With `managers`, the server fills it in'),
  managers: z
    .array(loginOrEmail)
    .max(limits.invited)
    .optional()
    .describe(
      'Instead of `folder`: usernames of the managers of a group that is made when the first person comes, named by the value',
    ),
};
const absentIsEmpty = z
  .boolean()
  .default(false)
  .describe(
    'If the service sends nothing about the attribute, the person has no value of it. Default: what they have stays',
  );

const rule = z
  .discriminatedUnion('source', [
    z.strictObject({
      source: z.literal('ldap'),
      ...fields,
      attribute: fields.attribute
        .default('memberOf')
        .describe('Letter case does not count. `memberOf`: `value` is the name (DN) of a group'),
      absentIsEmpty: z.boolean().default(true).describe('Always true: LDAP has no empty attributes'),
    }),
    z.strictObject({ source: z.literal('cas'), ...fields, absentIsEmpty }),
    z.strictObject({
      source: z.literal('header'),
      ...fields,
      attribute: z.literal('groups').default('groups'),
      value: fields.value.describe('One of the groups in the header that `authHeaderSettings` names'),
      absentIsEmpty,
    }),
    z.strictObject({
      source: z.literal('oidc'),
      provider: one.max(limits.text).describe('A name in `providers` of `authOidcSettings`'),
      ...fields,
      attribute: fields.attribute.describe('A claim, or a path such as `realm_access.roles`'),
      absentIsEmpty,
    }),
  ])
  .meta({ id: 'GroupRule' });
export type SentGroupRule = z.input<typeof rule>;
export type CheckedGroupRule = z.output<typeof rule>;

const sending = {
  body: z.strictObject({ rules: z.array(rule).max(limits.groupRules) }),
} satisfies InputSchema;

const folders = byIds(z.strictObject({ _id: z.string(), name: z.string() })).describe(
  'The groups that exist. A rule whose group is missing gives nothing',
);

const rulesAnswer = z.strictObject({
  version: z.int().describe('To be sent back with changed rules'),
  rules: z.array(rule),
  folders,
  people: z.record(z.string(), z.int()).describe('By id of the rule: how many people have a role by it'),
});
export type GroupRulesAnswer = z.infer<typeof rulesAnswer>;

const changes = z.strictObject({
  count: z.int(),
  rows: z
    .array(
      z.strictObject({
        user: z.string(),
        folder: z.string().nullable().describe('Id of the group; `null`: it would be made'),
        name: z.string(),
        before: role.nullable(),
        after: role.nullable(),
      }),
    )
    .describe(`At most ${limits.previewed}`),
});

const changedRoles = {
  gains: changes.describe('Roles that are new, or have more rights'),
  losses: changes.describe('Roles that end, or have fewer rights'),
  users: byIds(person),
};
const previewAnswer = z.strictObject({
  ...changedRoles,
  known: z.int().describe('Of how many people values of attributes are known that a rule names'),
});
export type GroupRulesPreview = z.infer<typeof previewAnswer>;

const accountList = z.strictObject({
  count: z.int(),
  rows: z.array(z.string()).describe(`Ids of accounts, at most ${limits.previewed}`),
});

const counts = {
  read: z.int().describe('People in the directory who can sign in'),
  accounts: z.int().describe('How many of them have an account'),
  changed: z.int().describe('Accounts whose names or address change'),
  absent: z.int().describe('Open accounts of people who are gone from the directory, or disabled there'),
};

const syncFacts = {
  running: z.boolean(),
  last: z
    .strictObject({
      began: z.int(),
      ended: z.int(),
      error: z.string().nullable().describe('Why it has failed'),
      ...counts,
      gained: z.int().describe('Roles that are new, or have more rights'),
      lost: z.int(),
      activated: z.int(),
      deactivated: z.int(),
    })
    .nullable()
    .describe('The last run that has ended. One that has failed has counted nothing'),
  waiting: z
    .strictObject({ id: z.string(), people: z.int().describe('Who would lose a role or be deactivated') })
    .nullable()
    .describe(
      'The last run has taken nothing from anyone, because it is about more people than `directorySyncLimit`',
    ),
};
const stateOfSync = z.strictObject(syncFacts);
export type SyncState = z.infer<typeof stateOfSync>;

const syncPreview = z.strictObject({
  id: z.string().describe('To be sent back as `confirm`'),
  ...changedRoles,
  ...counts,
  activated: accountList,
  deactivated: accountList,
  people: z.int().describe('Who would lose a role or be deactivated'),
  needsConfirmation: z.boolean(),
});
export type SyncPreview = z.infer<typeof syncPreview>;

const errors = ['BACKEND.ERROR.CONFIGURATION.GROUP_RULE', 'BACKEND.ERROR.SERVER.BUSY'] as const;
const example = {
  source: 'oidc' as const,
  provider: 'school',
  attribute: 'groups',
  value: 'class-5b',
  role: 'writer' as const,
  managers: ['ada'],
};

export const list = details({ answer: rulesAnswer });
export const save = details({
  input: {
    body: sending.body.extend({
      version: z
        .int()
        .optional()
        .describe(
          'Of the rules as they were read. If they have changed since, the call is refused and stores nothing',
        ),
    }),
  },
  answer: rulesAnswer.extend({ success }),
  errors: [...errors, 'BACKEND.ERROR.CONFIGURATION.CHANGED'],
  example: { body: { rules: [example] } },
});
export const preview = details({
  input: sending,
  answer: previewAnswer,
  errors,
  example: { body: { rules: [example] } },
});
export const syncState = details({ answer: stateOfSync });
export const sync = details({
  input: {
    body: z.strictObject({
      preview: z.literal(true).optional().describe('Only says what a run would do'),
      confirm: id
        .optional()
        .describe(
          '`id` of a preview or of `waiting`: a run that takes just this may take it from any number of people',
        ),
    }),
  },
  answer: z.strictObject({ success, ...syncFacts, preview: syncPreview.optional() }),
  errors: [
    'BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED',
    'BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP',
    'BACKEND.ERROR.SERVER.BUSY',
  ],
  example: { body: { preview: true } },
});
