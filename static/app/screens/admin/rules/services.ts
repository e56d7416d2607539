/** The services whose values rules name. */
import type { SentGroupRule } from '../../../../../api/rules/schema';
import { useAdminSettings } from '../../../data/administration';
import { useTranslation } from '../../../texts/i18n';

/** A service as the value of a select. */
export const serviceOf = (rule: Pick<SentGroupRule, 'source'> & { provider?: string }): string =>
  rule.provider === undefined ? rule.source : `${rule.source}:${rule.provider}`;

/** LDAP, CAS and each provider of OpenID Connect, and that of the rule if it is not set up any more. */
export function useServices(rule?: SentGroupRule): { value: string; label: string }[] {
  const { t } = useTranslation();
  const stored = useAdminSettings().data?.settings.find(({ key }) => key === 'authOidcSettings')?.value;
  const { providers = {} } = (stored ?? {}) as { providers?: Record<string, { name?: string }> };
  const known = Object.entries(providers).map(([id, { name = id }]) => ({
    value: `oidc:${id}`,
    label: name,
  }));
  const own = rule === undefined ? undefined : serviceOf(rule);
  const services = [
    { value: 'ldap', label: t('admin.checkup.ldap') },
    { value: 'cas', label: t('admin.checkup.cas') },
    { value: 'header', label: t('admin.checkup.header') },
    ...known,
  ];
  const isKnown = own === undefined || services.some(({ value }) => value === own);
  return isKnown ? services : [...services, { value: own, label: own }];
}
