/** Calls about second factors: authenticator app, passkeys, recovery codes. */
import * as z from 'zod';
import type { NewPasskeyOptions, PasskeyOptions } from '../../model/access/passkeys';
import { limits } from '../../model/limits';
import { keyAnswer, success, time } from '../answers';
import { passwordErrors } from '../commonErrors';
import { details, type InputSchema } from '../declaration';

/** As it was typed. */
export const code = z.string().min(1).max(limits.text);

/** Of extensions, for which we do not ask. */
const extensions = z.object({}) as unknown as z.ZodType<Record<never, never>>;
const base64url = z.string().min(1).max(20_000);
/** What the browser adds for servers that need more is left out. */
const answerOf = <Response extends z.ZodRawShape>(response: Response) =>
  z.object({
    id: z.string().min(1).max(2_000),
    rawId: z.string().min(1).max(2_000),
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: base64url, ...response }),
    clientExtensionResults: extensions,
  });

/** `PublicKeyCredential.toJSON()` of a browser: of a sign-in, and of a new passkey. */
export const passkeyAnswer = answerOf({ authenticatorData: base64url, signature: base64url }).meta({
  id: 'PasskeyAnswer',
});
const newPasskeyAnswer = answerOf({
  attestationObject: base64url,
  transports: z.array(z.string().max(limits.text)).max(10).optional(),
}).meta({ id: 'NewPasskeyAnswer' });

/** What browsers define, with the types of the library. */
const optionsAs = <Options>(method: string) =>
  z
    .looseObject({ challenge: z.string() })
    .describe(`For \`PublicKeyCredential.${method}\` of browsers`) as unknown as z.ZodType<Options>;
export const browserOptions = optionsAs<PasskeyOptions>('parseRequestOptionsFromJSON');
export const newOptions = optionsAs<NewPasskeyOptions>('parseCreationOptionsFromJSON');

export const recoveryCodes = z
  .array(z.string())
  .describe('Each replaces a code once. No other answer contains them');

const params = z.strictObject({ login: z.string().max(300) });
const notFound = {
  login: 'BACKEND.ERROR.USER.NOT_FOUND',
  id: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND',
} as const;
const errors = { ...notFound, currentPassword: 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT' } as const;

const byLogin = { params, errors: notFound } satisfies InputSchema;
const proof = z.strictObject({ currentPassword: z.string().max(limits.password) });
const withPassword = { params, body: proof, errors } satisfies InputSchema;

const factor = z
  .strictObject({
    _id: z.string().describe('Names the factor in `DELETE`'),
    kind: z.enum(['totp', 'passkey']).describe('`totp`: an authenticator app'),
    name: z.string().describe('Of a passkey; empty for an app'),
    created: time,
    lastUsed: time.nullable().describe('`null`: never'),
  })
  .meta({ id: 'Factor' });
export type Factor = z.infer<typeof factor>;

const ownFactors = z
  .strictObject({
    factors: z.array(factor),
    recoveryCodes: z.int().describe('How many are left'),
    possible: z.boolean().describe('False if the password of the account is elsewhere'),
    required: z.boolean().describe('Whether the account must have a second factor'),
    passkeys: z
      .boolean()
      .describe('Whether passkeys work on this server: its address (`rootUrl`) is https and has a name'),
  })
  .meta({ id: 'OwnFactors' });
export type OwnFactors = z.infer<typeof ownFactors>;

const added = z.strictObject({
  success,
  key: z.string(),
  value: factor,
  recoveryCodes: recoveryCodes.optional().describe('With the first factor'),
});
export type AddedFactor = z.infer<typeof added>;

export const newPasskey = z.strictObject({
  name: z.string().trim().min(1).max(limits.text),
  passkey: newPasskeyAnswer,
});

/** `POST user/{login}/factors/passkey` */
const passkey = {
  params,
  body: newPasskey,
  errors,
} satisfies InputSchema;

const unavailable = ['BACKEND.ERROR.FACTOR.UNAVAILABLE'] as const;
const beginErrors = [...passwordErrors, ...unavailable] as const;

export const list = details({
  input: byLogin,
  answer: z.strictObject({ key: z.string(), value: ownFactors }),
});
export const beginTotp = details({
  input: withPassword,
  answer: z.strictObject({ success, pending: z.string(), secret: z.string(), uri: z.string() }),
  errors: beginErrors,
});
export const addTotp = details({
  input: {
    params,
    body: z.strictObject({
      pending: z.string().min(1).max(100).describe('From the answer of `factors/totp/options`'),
      code,
    }),
    errors: { ...errors, pending: 'BACKEND.ERROR.FACTOR.EXPIRED' },
  },
  answer: added,
  errors: [
    ...unavailable,
    'BACKEND.ERROR.FACTOR.EXPIRED',
    'BACKEND.ERROR.FACTOR.CODE',
    'BACKEND.ERROR.PERMISSION.TOO_MANY',
  ],
});
export const beginPasskey = details({
  input: withPassword,
  answer: z.strictObject({ success, value: newOptions }),
  errors: beginErrors,
});
export const addPasskey = details({
  input: passkey,
  answer: added,
  errors: [...unavailable, 'BACKEND.ERROR.FACTOR.PASSKEY', 'BACKEND.ERROR.FACTOR.TOO_MANY'],
});
export const newRecoveryCodes = details({
  input: withPassword,
  answer: z.strictObject({ success, recoveryCodes }),
  errors: beginErrors,
});
export const remove = details({
  input: {
    params: params.extend({ id: z.string().min(1).max(2_000) }),
    body: proof,
    errors,
  },
  answer: keyAnswer,
  errors: [...passwordErrors, 'BACKEND.ERROR.FACTOR.REQUIRED'],
});
export const reset = details({ input: byLogin, answer: keyAnswer });
