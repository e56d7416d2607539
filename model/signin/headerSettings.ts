/** Reads and checks `authHeaderSettings`. */
import { BlockList, isIP } from 'node:net';
import * as z from 'zod';
import { webAddress } from './casAddresses';
import { domain } from './oidcSettings';
import { type AttributeNames, attributeNames } from './profile';
import { choice, text } from './settingsFault';

/** The headers of Authelia. It sends the whole name in one. */
const defaultHeaders: AttributeNames = {
  login: 'Remote-User',
  email: 'Remote-Email',
  firstname: 'Remote-Name',
  lastname: '',
};

interface Network {
  address: string;
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

/** An address or a network such as `10.0.0.0/8`. Not `/0`: then everybody could sign in as anybody. */
function networkOf(value: string): Network | undefined {
  const [address = '', given, ...more] = value.split('/');
  const family = isIP(address);
  const longest = family === 4 ? 32 : 128;
  const prefix = given === undefined ? longest : /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (family === 0 || more.length > 0 || prefix < 1 || prefix > longest) return undefined;
  return { address, prefix, family: family === 4 ? 'ipv4' : 'ipv6' };
}

const isNoNetwork = 'is not an address such as 10.0.0.2 or a network such as 10.0.0.0/24 or fd00::/64';
const noProxies = 'is missing: it has the addresses of the proxies that may say who somebody is';

/** Headers that mean something else to the server or to other programs. */
const reserved =
  /^(authorization|cookie|host|origin|content-.*|sec-.*|x-forwarded-(for|host|port|proto|prefix))$/i;
const isNoHeader = 'is not the name of a header that a proxy can set';
const header = z
  .string(isNoHeader)
  .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, isNoHeader)
  .refine((name) => !reserved.test(name), isNoHeader)
  .optional();

const isNoAddress = 'is not an http or https address';

/** Settings that may be stored; `languages` are the valid languages of accounts. */
export const headerToStore = (languages: readonly string[]) =>
  z.strictObject(
    {
      name: text.min(1, 'is empty').max(60, 'is longer than 60 characters'),
      proxies: z
        .array(
          z.string(isNoNetwork).refine((one) => networkOf(one) !== undefined, isNoNetwork),
          noProxies,
        )
        .min(1, noProxies)
        .max(100, 'has too many entries'),
      headers: z
        .strictObject(
          { login: header, email: header, firstname: header, lastname: header, groups: header },
          'is not an object',
        )
        .optional(),
      emailDomain: domain.optional(),
      signOutUrl: z
        .string(isNoAddress)
        .refine((address) => webAddress(address) !== undefined, isNoAddress)
        .optional(),
      defaultLang: choice(['', ...languages]).optional(),
    },
    { error: ({ code }) => (code === 'unrecognized_keys' ? 'is not known' : 'is not an object') },
  );

export interface HeaderSettings {
  /** The text of the button. */
  name: string;
  proxies: BlockList;
  names: AttributeNames;
  /**
   * With the groups of the person, with commas between them. No default: where the proxy does not replace it, callers
   * could send it themselves.
   */
  groups: string;
  emailDomain: string | undefined;
  signOutUrl: string | undefined;
  lang: unknown;
}

// Which languages exist does not matter for the rest.
const stored = headerToStore([]).extend({ defaultLang: z.unknown().optional() });

/** The settings; `undefined` if they cannot be used. A stored value may be invalid. */
export function readHeaderSettings(value: unknown): HeaderSettings | undefined {
  const { data } = stored.safeParse(value);
  if (data === undefined) return undefined;
  const proxies = new BlockList();
  for (const one of data.proxies) {
    const network = networkOf(one);
    if (network) proxies.addSubnet(network.address, network.prefix, network.family);
  }
  return {
    name: data.name,
    proxies,
    names: attributeNames(data.headers, defaultHeaders),
    groups: data.headers?.groups ?? '',
    emailDomain: data.emailDomain,
    signOutUrl: data.signOutUrl,
    lang: data.defaultLang,
  };
}
