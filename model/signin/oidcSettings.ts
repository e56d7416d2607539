/** Reads and checks `authOidcSettings`. */
import * as z from 'zod';
import { choice, flag, properties, text } from './settingsFault';

const isNoIssuer =
  'is not of the form https://host/path. http is accepted only for this machine (localhost, 127.0.0.1)';

/** Over http anybody on the way could sign in as anybody. */
function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, search, hash } = new URL(value);
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  return (protocol === 'https:' || (protocol === 'http:' && isHere)) && `${username}${search}${hash}` === '';
}

/** The name of a provider in addresses and in what is stored. */
const providerId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'is not a name of small letters, digits and hyphens');

const needed = text.min(1, 'is empty');
const texts = z.array(needed.max(200), 'is not a list of texts').max(100, 'has too many entries');
export const domain = z.string().regex(/^[a-z0-9.-]+\.[a-z0-9-]+$/i, 'is not a domain such as example.org');
const oneOf = <const Value extends string>(...values: Value[]) => choice(values);

const isNoPem = 'is not PEM';
const pem = (what: RegExp) => z.string(isNoPem).regex(what, isNoPem);

const provider = (languages: readonly string[]) =>
  z
    .strictObject(
      {
        name: needed.max(60, 'is longer than 60 characters'),
        issuer: z.string(isNoIssuer).refine(isIssuer, isNoIssuer),
        clientId: needed,
        clientSecret: text.optional(),
        privateKey: pem(/-----BEGIN PRIVATE KEY-----/).optional(),
        keyId: text.optional(),
        clientAuth: oneOf('basic', 'post').optional(),
        scopes: z
          .string('is not a text')
          .regex(/(^| )openid( |$)/, 'does not contain openid')
          .max(500, 'is too long')
          .optional(),
        claims: properties.optional(),
        allow: z
          .strictObject(
            { claim: needed, values: texts.min(1, 'is empty') },
            'is not {"claim": …, "values": […]}',
          )
          .optional(),
        trustEmail: flag.optional(),
        linkDomains: z.array(domain, 'is not a list of domains').max(50, 'has too many entries').optional(),
        emailDomain: domain.optional(),
        takenLogin: oneOf('refuse', 'number').optional(),
        responseMode: oneOf('query', 'form_post').optional(),
        signOut: flag.optional(),
        strictSSL: flag.optional(),
        ca: pem(/-----BEGIN CERTIFICATE-----/).optional(),
        defaultLang: choice(['', ...languages]).optional(),
      },
      {
        error: ({ code }) => (code === 'unrecognized_keys' ? 'is not known' : 'is not an object'),
      },
    )
    .refine(({ clientSecret, privateKey }) => clientSecret || privateKey, {
      path: ['clientSecret'],
      message: 'is missing, and so is privateKey',
    });

/** Settings that may be stored; `languages` are the valid languages of accounts. */
export const oidcToStore = (languages: readonly string[]) =>
  z.strictObject(
    { providers: z.record(providerId, provider(languages), 'is not an object') },
    'are not an object',
  );

export type OidcProvider = z.infer<ReturnType<typeof provider>> & { id: string };

/** Paths of secrets. `*` stands for each name. */
export const oidcSecrets = ['providers.*.clientSecret', 'providers.*.privateKey'];

/** The claims that OpenID Connect defines. */
export const standardClaims = {
  login: 'preferred_username',
  email: 'email',
  firstname: 'given_name',
  lastname: 'family_name',
};

const stored = z.looseObject({ providers: z.record(z.string(), z.unknown()) });

/** The usable providers, in their order. A stored one may be invalid. */
export function readProviders(value: unknown): OidcProvider[] {
  const { data } = stored.safeParse(value);
  return Object.entries(data?.providers ?? {}).flatMap(([id, one]) => {
    const { data: usable } = provider([]).safeParse(withoutLanguage(one));
    return usable && providerId.safeParse(id).success ? [{ ...usable, ...languageOf(one), id }] : [];
  });
}

const hrefOf = (address: string): string => (URL.canParse(address) ? new URL(address).href : address);
const isOfMicrosoft = (address: string): boolean =>
  /^https:\/\/(login\.microsoftonline\.com|sts\.windows\.net|[^/]+\.b2clogin\.com)\//.test(hrefOf(address));

/**
 * Whether a provider at this address can send this issuer. openid-client accepts a different one from Microsoft's hosts
 * and from an address with `/.well-known/`.
 */
const canSend = (address: string, issuer: string): boolean =>
  hrefOf(address) === hrefOf(issuer) ||
  address.includes('/.well-known/') ||
  (isOfMicrosoft(address) && isOfMicrosoft(issuer));

const withIssuer = z.looseObject({ issuer: z.string() });

/** Whether the settings have a provider with this issuer. Also one that cannot be used, as without its secret. */
export function hasProviderOf(value: unknown, issuer: string): boolean {
  const { data } = stored.safeParse(value);
  return Object.values(data?.providers ?? {}).some((one) => {
    const { data: named } = withIssuer.safeParse(one);
    return named !== undefined && canSend(named.issuer, issuer);
  });
}

/** Which languages exist does not matter for the rest: an unknown one becomes the default. */
function withoutLanguage(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { defaultLang: _, ...rest } = value as Record<string, unknown>;
  return rest;
}

const languageOf = (value: unknown): { defaultLang?: string } => {
  const { data } = z.looseObject({ defaultLang: z.string().min(1) }).safeParse(value);
  return data ? { defaultLang: data.defaultLang } : {};
};
