/** Calls of `ep-mypads import --sync`. */
import * as z from 'zod';
import { limits } from '../../model/limits';
import { success } from '../answers';
import { details } from '../declaration';
import { id, name } from '../group/schema';

const role = z.enum(['manager', 'writer']);
const logins = z.array(z.string().min(1).max(limits.login)).max(limits.people).describe('Usernames');

const stateAnswer = z.strictObject({
  accounts: z
    .array(
      z.strictObject({
        login: z.string(),
        email: z.string(),
        firstname: z.string(),
        lastname: z.string(),
        organization: z.string(),
        active: z.boolean(),
        closedBySync: z.boolean().describe('A sync has deactivated it'),
      }),
    )
    .describe('Those that syncs have made'),
  folders: z.array(
    z.strictObject({
      _id: z.string(),
      name: z.string(),
      people: z.array(
        z.strictObject({
          login: z.string(),
          role,
          otherwise: z
            .enum(['manager', 'writer', 'reader'])
            .nullable()
            .describe('The role that the person has without the file'),
        }),
      ),
    }),
  ),
  trashed: z
    .array(z.string())
    .describe('Names of groups in the trash in which people have a role by the file'),
});
export type ImportState = z.infer<typeof stateAnswer>;

const rolesInput = z.strictObject({
  folder: id.optional().describe('Id of the group'),
  name: name
    .optional()
    .describe('Instead of `folder`: makes a group with this name, with at least one of `managers`'),
  managers: logins.default([]),
  writers: logins.default([]),
  removed: logins.default([]).describe('They lose what the file gave'),
});

const accountsInput = z.strictObject({
  activate: logins.default([]),
  deactivate: logins.default([]),
});

export const state = details({ answer: stateAnswer, errors: ['BACKEND.ERROR.SERVER.BUSY'] });
export const roles = details({
  input: { body: rolesInput, errors: { folder: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND' } },
  answer: z.strictObject({ success, folder: z.string().describe('Id of the group') }),
  errors: [
    'BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND',
    'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN',
    'BACKEND.ERROR.SERVER.BUSY',
  ],
  example: { body: { name: 'Class 5a', managers: ['ada'], writers: ['bob'] } },
});
export const accounts = details({
  input: { body: accountsInput },
  answer: z.strictObject({
    success,
    activated: z.int(),
    deactivated: z.int(),
  }),
  errors: ['BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND', 'BACKEND.ERROR.SERVER.BUSY'],
  example: { body: { activate: ['bob'], deactivate: ['eve'] } },
});
