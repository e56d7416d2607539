import * as z from 'zod';
import { limits } from '../../model/limits';
import { secondSteps } from '../../model/people/secondStep';
import { ownUser, signInMethod, success, successAnswer } from '../answers';
import { passwordErrors, signInErrors } from '../commonErrors';
import { details, type InputSchema, type Sent } from '../declaration';
import { browserOptions, code, newOptions, newPasskey, passkeyAnswer, recoveryCodes } from '../factor/schema';
import { loginOrEmail } from '../group/schema';
import { ignoredFields } from '../middleware/ignoredFields';

const password = z.string().min(1).max(limits.password);

const errors = {
  login: 'BACKEND.ERROR.TYPE.LOGIN_STR',
  password: 'BACKEND.ERROR.TYPE.PASSWORD_STR',
} as const;

/** `POST auth/admin/login`, `POST auth/check` */
export const credentials = {
  body: z.strictObject({ login: loginOrEmail, password }),
  errors,
} satisfies InputSchema;
export type Credentials = Sent<typeof credentials>;

/** `POST auth/login/cas`: the ticket that the CAS server added to the URL of the sign-in page. */
const ticket = {
  body: z.strictObject({ ticket: z.string().min(1).max(4_000) }),
  errors: { ticket: 'BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET' },
} satisfies InputSchema;

/** `POST auth/login/…`: whoever signs in with a password may get a `question` instead. */
export const loginAnswer = z.strictObject({ success, token: z.string(), user: ownUser });
export type LoginAnswer = z.infer<typeof loginAnswer>;

/** `POST auth/login`: the second step of an account that has a second factor, or must set one up. */
const secondStepQuestion = z.strictObject({
  factor: z
    .array(z.enum(secondSteps))
    .describe('What `POST auth/login/factor` takes: `code` (`totp`), `passkey`, `recoveryCode` (`recovery`)'),
  pending: z.string().describe('Names this sign-in in `POST auth/login/factor`, for ten minutes'),
  setUp: z
    .strictObject({
      secret: z.string(),
      uri: z.string(),
      passkey: newOptions.optional().describe('What the browser needs to make a passkey instead'),
    })
    .optional()
    .describe(
      'The account must have a second factor and has none: what an authenticator app needs. Send its first `code`, or `newPasskey`',
    ),
});
export type SecondStepQuestion = z.infer<typeof secondStepQuestion>;

const secondStepAnswer = loginAnswer.extend({
  recoveryCodes: recoveryCodes.optional().describe('After the set-up of the first factor'),
});

/** `POST auth/login/passkey` */
const passkey = { body: z.strictObject({ passkey: passkeyAnswer }) } satisfies InputSchema;

/** `POST auth/admin/login/host`, `POST auth/login/header`: an empty object. */
const emptyBody = { body: z.strictObject({}) } satisfies InputSchema;

/** `POST auth/admin/login`, `POST auth/admin/login/host` */
export const adminLoginAnswer = z.strictObject({ success, token: z.string() });
export type AdminLoginAnswer = z.infer<typeof adminLoginAnswer>;

const provider = { params: z.strictObject({ provider: z.string().min(1).max(50) }) };
/** What a provider sends: names and texts, each once. A form is kept for a while, and anybody can send one. */
const parameters = z
  .record(z.string().max(100), z.string().max(8_000))
  .refine((sent) => JSON.stringify(sent).length <= limits.providerAnswer);

/** Of a step with a provider, which knows no person yet. */
const providerErrors = [
  'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED',
  'BACKEND.ERROR.AUTHENTICATION.OIDC_FAILED',
  'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE',
] as const;

/** `POST admin/trySignIn/{provider}` */
export const tryOidc = details({
  input: provider,
  answer: z.strictObject({
    success,
    url: z.string().describe('The page of the provider, for the same browser'),
  }),
  errors: providerErrors,
});

/** `POST auth/cas/logout`: the field has the name of the CAS protocol. */
const logoutRequest = {
  body: z.object({ logoutRequest: z.string().min(1).max(20_000) }),
} satisfies InputSchema;

/** `GET auth/oidc/{provider}/callback`, `POST auth/oidc/{provider}/callback` */
const callback = { ...provider, query: parameters } satisfies InputSchema;
const callbackForm = { ...provider, body: parameters } satisfies InputSchema;

export const oidcStart = details({
  input: {
    ...provider,
    query: z.object({ next: z.string().max(2_000).optional() }),
  },
  answer: z.strictObject({}),
  acts: true,
  redirects: true,
  errors: providerErrors,
});
const trialAnswer = z.strictObject({
  provider: z.string(),
  claims: z.record(z.string(), z.unknown()),
  person: z
    .strictObject({ login: z.string(), email: z.string(), firstname: z.string(), lastname: z.string() })
    .optional()
    .describe('What the settings make of the claims'),
  outcome: z
    .enum(['known', 'linked', 'new', 'refused'])
    .describe('What signing in would do: open a known account, link an existing one, create one, or nothing'),
  account: z.string().optional().describe('The username of the known or linked account'),
  reason: z.string().optional().describe('The error'),
});
export type TrialAnswer = z.infer<typeof trialAnswer>;

export const oidcCallback = details({
  input: callback,
  answer: trialAnswer,
  acts: true,
  redirects: 'mostly',
  errors: providerErrors,
});
export const casLogout = details({
  input: logoutRequest,
  form: true,
  answer: successAnswer,
  errors: ['BACKEND.ERROR.AUTHENTICATION.CAS_FAILED'],
});
export const oidcCallbackForm = details({
  input: callbackForm,
  form: true,
  answer: z.strictObject({}),
  redirects: true,
  errors: ['BACKEND.ERROR.AUTHENTICATION.OIDC_FAILED'],
});
export const oidcLogout = details({
  input: {
    ...provider,
    body: z.object({ logout_token: z.string().min(1).max(20_000) }),
  },
  form: true,
  answer: successAnswer,
  errors: providerErrors,
});
/** The parameters have the names of OpenID Connect Front-Channel Logout 1.0. */
export const oidcFrontLogout = details({
  input: {
    ...provider,
    query: z.object({ iss: z.string().min(1).max(2_000), sid: z.string().min(1).max(500) }),
  },
  acts: true,
  answer: successAnswer,
  errors: ['BACKEND.ERROR.AUTHENTICATION.OIDC_FAILED'],
});
/** The code that the callback added to the URL of the sign-in page. */
export const loginByCode = details({
  input: { body: z.strictObject({ code: z.string().min(1).max(100) }) },
  answer: loginAnswer,
  errors: [
    ...signInErrors,
    ...providerErrors,
    'BACKEND.ERROR.AUTHENTICATION.OIDC_DENIED',
    'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
  ],
  example: { body: { code: 'nQ3pEoUV2WnB0yqkDq1H0H8Sx3kQ7aXcJ9uY5rLzT1M' } },
});

export const methods = details({
  answer: z.strictObject({ value: z.array(signInMethod) }),
  example: { answer: { value: [{ method: 'internal', proof: 'typed' }] } },
});

/** The page of 1.x sends the whole registration form when it signs a new account in. */
export const login = details({
  input: {
    body: z.strictObject({
      login: loginOrEmail,
      password,
      ...ignoredFields('passwordConfirm', 'email', 'firstname', 'lastname', 'organization', 'padNickname'),
      ...ignoredFields('color', 'lang', 'hideHelp', 'useLoginAndColorInPads', 'key'),
    }),
    errors,
  },
  answer: z.union([loginAnswer, secondStepQuestion]),
  errors: [...signInErrors, ...passwordErrors, 'BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET'],
  example: { body: { login: 'alice', password: 'alices-password' } },
});

const stepErrors = [
  'BACKEND.ERROR.FACTOR.PASSKEY',
  'BACKEND.ERROR.FACTOR.UNAVAILABLE',
  'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
  'BACKEND.ERROR.PERMISSION.TOO_MANY',
] as const;

export const loginByFactor = details({
  input: {
    body: z.strictObject({
      pending: z.string().min(1).max(100).describe('From the answer of `POST auth/login`'),
      code: code.optional().describe('What the authenticator app shows now. Each code works once'),
      recoveryCode: code.optional().describe('Each works once'),
      passkey: passkeyAnswer.optional().describe('The answer of the browser to `POST auth/passkey/options`'),
      newPasskey: newPasskey.optional().describe('The answer of the browser to `setUp.passkey`'),
      remember: z.boolean().optional().describe('Asks for no second step in this browser for 30 days'),
    }),
    errors: { pending: 'BACKEND.ERROR.FACTOR.EXPIRED' },
  },
  answer: secondStepAnswer,
  errors: [...stepErrors, 'BACKEND.ERROR.FACTOR.EXPIRED', 'BACKEND.ERROR.FACTOR.CODE'],
  example: { body: { pending: 'nQ3pEoUV2WnB0yqkDq1H0H8Sx3kQ7aXcJ9uY5rLzT1M', code: '123456' } },
});
export const loginByPasskey = details({ input: passkey, answer: loginAnswer, errors: stepErrors });
export const passkeyOptions = details({
  answer: z.strictObject({ value: browserOptions }),
  errors: ['BACKEND.ERROR.FACTOR.UNAVAILABLE'],
});

export const loginByTicket = details({
  input: ticket,
  answer: loginAnswer,
  errors: [
    ...signInErrors,
    'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED',
    'BACKEND.ERROR.AUTHENTICATION.CAS_FAILED',
    'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
  ],
  example: { body: { ticket: 'ST-1856339-aA5Yuvrxzpv8Tau1cYQ7' } },
});

export const loginByHeader = details({
  input: emptyBody,
  answer: loginAnswer,
  errors: [
    ...signInErrors,
    'BACKEND.ERROR.AUTHENTICATION.HEADER_FAILED',
    'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
  ],
  example: { body: {} },
});

/** `POST auth/logout` */
const logoutAnswer = z.strictObject({
  success,
  url: z
    .string()
    .optional()
    .describe('Where the browser goes to sign out at the service by which this session began'),
});
export type LogoutAnswer = z.infer<typeof logoutAnswer>;

export const logout = details({ answer: logoutAnswer });
/** With GET. Deprecated, because browsers and proxies may repeat a GET by themselves. */
export const logoutByGet = details({ answer: logoutAnswer, acts: true, deprecated: true });
export const adminLogout = details({ answer: successAnswer });
export const adminLogoutByGet = details({ answer: successAnswer, acts: true, deprecated: true });

export const check = details({
  input: credentials,
  answer: successAnswer,
  errors: [...passwordErrors, 'BACKEND.ERROR.AUTHENTICATION.DENIED'],
  example: { body: { login: 'alice', password: 'alices-password' }, answer: { success: true } },
});

const adminExample = { success: true, token: '<token>' } as const;

export const adminLogin = details({
  input: credentials,
  answer: adminLoginAnswer,
  errors: [
    'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
    'BACKEND.ERROR.AUTHENTICATION.ADMIN',
    'BACKEND.ERROR.AUTHENTICATION.HOST_UNAVAILABLE',
    'BACKEND.ERROR.PERMISSION.TOO_MANY',
  ],
  example: { body: { login: 'admin', password: 'the one of settings.json' }, answer: adminExample },
});

export const hostLogin = details({
  input: emptyBody,
  answer: adminLoginAnswer,
  example: { body: {}, answer: adminExample },
});
