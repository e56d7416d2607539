import { hasText, useTranslation } from '../../../texts/i18n';
import { casFields, headerFields, ldapFields, moreProviderFields, providerFields } from './serviceFields';

const fields = [ldapFields, casFields, headerFields, providerFields, moreProviderFields].flat();
const labels = new Map(fields.map(({ path, label }) => [path, label]));

/**
 * What the server says about a setting, with labels instead of the names that it begins with: `rootUrl`,
 * `serverUrl is …`, `authCasSettings: serverUrl is …`, `providers.school.issuer is …`.
 */
export function useReasonText(): (reason: string) => string {
  const { t } = useTranslation();
  const labelOf = (name: string): string => {
    const [, provider, path = name] = /^providers\.([^.]+)\.(.+)$/.exec(name) ?? [];
    const setting = `admin.setting.${path}`;
    const label = labels.get(path) ?? (hasText(setting) ? setting : undefined);
    if (label === undefined) return name;
    return provider === undefined ? t(label) : `${provider}: ${t(label)}`;
  };
  return (reason) =>
    reason.replace(/^[\w.-]+(?:: [\w.-]+(?= ))?/, (names) => names.split(': ').map(labelOf).join(': '));
}
