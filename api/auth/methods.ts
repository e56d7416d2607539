/** The ways to sign in, as everybody may see them. */
import type { Model } from '../../model/model';
import { casLoginUrl, casLogoutUrl, webAddress } from '../../model/signin/casAddresses';
import { type MethodName, signInMethods } from '../../model/signin/methods';
import type { MethodOfSession } from '../../model/store/entities';
import type { SignInMethodAnswer } from '../answers';

type Shown = Pick<Model, 'configuration' | 'methods' | 'oidc' | 'header' | 'passkeys'>;

/** For a method with a page of its own: the buttons of its services. */
const buttons: Partial<
  Record<MethodName, (model: Shown) => Pick<SignInMethodAnswer, 'name' | 'passkeys' | 'provider' | 'url'>[]>
> = {
  internal: ({ passkeys }) => [passkeys.arePossible() ? { passkeys: true } : {}],
  cas({ configuration }) {
    const settings = configuration.get('authCasSettings');
    const address = webAddress(settings.serverUrl);
    const rootUrl = configuration.get('rootUrl');
    if (address === undefined || rootUrl === '') return [{}];
    return [{ name: new URL(address).hostname, url: casLoginUrl(settings, rootUrl) }];
  },
  oidc: ({ configuration, oidc }) =>
    oidc.providers().map(({ id, name }) => {
      const rootUrl = configuration.get('rootUrl');
      const url = rootUrl === '' ? {} : { url: `${rootUrl}/mypads/api/auth/oidc/${id}/start` };
      return { provider: id, name, ...url };
    }),
  header({ header }) {
    const settings = header.settings();
    return [settings ? { name: settings.name } : {}];
  },
};

/** The methods that are offered, in their order. Without `url`, a redirect cannot begin: something is not set up. */
export const shownMethods = (model: Shown): SignInMethodAnswer[] =>
  model.methods.names().flatMap((method) => {
    const { proof } = signInMethods[method];
    return (buttons[method]?.(model) ?? [{}]).map((button) => ({ method, proof, ...button }));
  });

/** For a method whose service has a session of its own: where the browser ends it. */
type SignOutUrl = (model: Shown, session: MethodOfSession) => Promise<string | undefined>;
const signOutUrls: Partial<Record<string, SignOutUrl>> = {
  async cas({ configuration }) {
    const settings = configuration.get('authCasSettings');
    const known = [settings.logoutUrl, settings.serverUrl].some((url) => webAddress(url) !== undefined);
    return known ? casLogoutUrl(settings, configuration.get('rootUrl')) : undefined;
  },
  oidc: ({ oidc }, { provider = '' }) => oidc.signOutUrl(provider),
  header: async ({ header }) => header.settings()?.signOutUrl,
};

/** Where somebody with this session signs out at the service; `undefined`: nowhere else than here. */
export async function signOutUrl(
  model: Shown,
  signedInBy: MethodOfSession | undefined,
): Promise<string | undefined> {
  // Sessions that began before methods were remembered are those of the only one that was offered.
  const [first = '', ...others] = model.methods.names();
  const session = signedInBy ?? { method: others.length === 0 ? first : '' };
  // A service that is not offered any more may be gone.
  if (!model.methods.names().some((name) => name === session.method)) return undefined;
  return signOutUrls[session.method]?.(model, session);
}
