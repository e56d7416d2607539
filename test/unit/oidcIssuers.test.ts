import { expect } from 'chai';
import { hasProviderOf } from '../../model/signin/oidcSettings';
import { checkEach } from '../support/cases';

const realm = 'https://id.example.org/realms/school';
const tenant = 'https://login.microsoftonline.com/1b2c/v2.0';

describe('a person of OpenID Connect', () => {
  it('belongs to a provider while the settings have one with their issuer, even if it cannot be used', () =>
    checkEach(
      {
        'the same': [realm, realm, true],
        'a slash more after the host': ['https://id.example.org', 'https://id.example.org/', true],
        'capital letters in the host': ['https://ID.example.org/realms/school', realm, true],
        'a slash more after a path, which makes another issuer': [`${realm}/`, realm, false],
        'another host': ['https://sso.example.org/realms/school', realm, false],
        'another realm': ['https://id.example.org/realms/staff', realm, false],
        'the address of the configuration': [`${realm}/.well-known/openid-configuration`, realm, true],
        'all tenants of Microsoft': ['https://login.microsoftonline.com/common/v2.0', tenant, true],
        'the first version of Microsoft': [
          'https://login.microsoftonline.com/1b2c',
          'https://sts.windows.net/1b2c/',
          true,
        ],
        'B2C of Microsoft': ['https://a.b2clogin.com/a/flow/v2.0', 'https://a.b2clogin.com/1b2c/v2.0/', true],
        'Microsoft after another provider': [tenant, realm, false],
        'a host that only sounds like it': [
          'https://login.microsoftonline.com.example.org/common',
          tenant,
          false,
        ],
        'no address': ['$ISSUER', realm, false],
      } as Record<string, [string, string, boolean]>,
      ([address, issuer, expected]) => {
        expect(hasProviderOf({ providers: { school: { issuer: address } } }, issuer)).to.equal(expected);
      },
    ));

  it('belongs to none if the settings have no providers', () =>
    checkEach<unknown>(
      {
        none: undefined,
        empty: {},
        'a list': { providers: [] },
        'one of null': { providers: { school: null } },
      },
      (settings) => {
        expect(hasProviderOf(settings, realm)).to.equal(false);
      },
    ));
});
