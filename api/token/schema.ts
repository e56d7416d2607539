/** Calls about API tokens, with which programs act in the name of a person or a server administrator. */
import * as z from 'zod';
import { isAddressOrNetwork } from '../../model/access/apiTokens';
import { limits } from '../../model/limits';
import { scopes } from '../../model/store/entities';
import { keyAnswer, success, time } from '../answers';
import { details, type InputSchema, type Sent } from '../declaration';
import { wholeNumber } from '../middleware/query';

const params = z.strictObject({ login: z.string().max(300) });
const id = z.string().min(1).max(limits.id);

const notFound = {
  login: 'BACKEND.ERROR.USER.NOT_FOUND',
  id: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND',
} as const;

const body = z.strictObject({
  name: z.string().trim().min(1).max(limits.text).describe('What the token is for'),
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .max(scopes.length)
    .describe(
      '`read`: what its owner may see. `write`: folders, pads, lists, bookmarks. `people`: who belongs to a folder. `administration`, only for server administrators: settings, accounts, all lists',
    ),
  days: z
    .int()
    .min(1)
    .max(limits.mostTokenDays)
    .default(limits.tokenDays)
    .describe(`After how many days it ends. Default: ${limits.tokenDays}`),
  addresses: z
    .array(z.string().max(limits.text).refine(isAddressOrNetwork))
    .max(limits.tokenAddresses)
    .default([])
    .describe(
      'IP addresses and networks, such as `192.0.2.0/24`, from which alone it may be used. Default: from everywhere',
    ),
});

const byLogin = { params, errors: notFound } satisfies InputSchema;
const creation = { ...byLogin, body } satisfies InputSchema;
const ownCreation = { body } satisfies InputSchema;
export type TokenFields = Sent<typeof creation>;

const fields = {
  _id: z.string().describe('Names the token in `DELETE`'),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  lastFour: z.string().describe('The last four characters of the token'),
  addresses: z.array(z.string()),
  created: time,
  ends: time,
  lastUsed: time.nullable().describe('Accurate to five minutes; `null`: never'),
};

/** An API token without its text. */
const apiToken = z.strictObject(fields).meta({ id: 'ApiToken' });
export type ApiToken = z.infer<typeof apiToken>;

const owner = z
  .strictObject({
    kind: z.enum(['person', 'administrator']),
    login: z.string().nullable().describe('Username of a person, name of an administrator at Etherpad'),
    id: z.string().nullable().describe('Of the account of a person'),
  })
  .describe('Who made it, and as whom it acts');

const anyToken = z.strictObject({ ...fields, owner }).meta({ id: 'OwnedApiToken' });
export type OwnedApiToken = z.infer<typeof anyToken>;

const token = z.string().describe('The token. No other answer contains it');
const listAnswer = z.strictObject({ key: z.string(), value: z.array(apiToken) });
const madeAnswer = z.strictObject({ success, key: z.string(), value: apiToken, token });
const pageAnswer = z.strictObject({ tokens: z.array(anyToken), count: z.int() });

const creationErrors = [
  'BACKEND.ERROR.API_TOKEN.OFF',
  'BACKEND.ERROR.API_TOKEN.TOO_MANY',
  'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH',
] as const;

const example = {
  _id: '0b6d3f4c9a1e27585d9c1f4e60a7b382',
  name: 'Backup at night',
  scopes: ['read' as const],
  lastFour: '9f3c',
  addresses: [],
  created: 1_767_225_600_000,
  ends: 1_775_001_600_000,
  lastUsed: null,
};

export const list = details({ input: byLogin, answer: listAnswer });
export const create = details({
  input: creation,
  answer: madeAnswer,
  errors: creationErrors,
  example: {
    body: { name: 'Backup at night', scopes: ['read'] },
    answer: { success: true, key: example._id, value: example, token: 'mp_<40 characters>' },
  },
});
export const end = details({ input: { params: params.extend({ id }), errors: notFound }, answer: keyAnswer });

export const all = details({
  input: {
    query: z.object({
      offset: wholeNumber(0, 1_000_000),
      limit: wholeNumber(1, limits.adminPage).describe(`Default: ${limits.page}`),
    }),
  },
  answer: pageAnswer,
});
export const createOwn = details({
  input: ownCreation,
  answer: madeAnswer,
  errors: [...creationErrors, 'BACKEND.ERROR.API_TOKEN.ADMINISTRATOR'],
  example: {
    body: { name: 'Import of classes', scopes: ['read', 'write', 'people', 'administration'], days: 7 },
    answer: {
      success: true,
      key: example._id,
      value: { ...example, name: 'Import of classes' },
      token: 'mp_<40 characters>',
    },
  },
});
export const endAny = details({
  input: { params: z.strictObject({ id }), errors: notFound },
  answer: keyAnswer,
});
