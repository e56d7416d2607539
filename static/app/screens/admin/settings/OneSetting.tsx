import { useMemo } from 'react';
import type { AdminSetting, AdminSettingsAnswer } from '../../../../../api/admin/schema';
import { useTranslation } from '../../../texts/i18n';
import { LoginMessageForm } from './LoginMessageForm';
import { ServiceForm } from './ServiceForm';
import { SettingRow } from './SettingRow';
import { casFields, ldapFields } from './serviceFields';

export interface OneSettingProps {
  setting: AdminSetting;
  /** All settings. */
  answer: AdminSettingsAnswer;
  /** The form of this sign-in service is open at first. Otherwise that of the one in use. */
  service?: string | undefined;
}

/** A setting with the form that fits it. */
export function OneSetting({ setting, answer, service }: OneSettingProps) {
  const { t } = useTranslation();
  const offered = useMemo(() => {
    const used = answer.settings.filter(({ key }) => key === 'authMethod' || key === 'authMethods');
    return used.flatMap(({ value }) => value);
  }, [answer]);
  switch (setting.key) {
    case 'loginMsg':
      return <LoginMessageForm setting={setting} />;
    case 'authLdapSettings':
      return (
        <ServiceForm
          setting={setting}
          service="authLdapSettings"
          fields={ldapFields}
          inUse={offered.includes('ldap')}
          open={service === undefined ? offered.includes('ldap') : service === 'ldap'}
          isSet={answer.secrets.includes('authLdapSettings.bindCredentials')}
          save={t('admin.ldap.save')}
        />
      );
    case 'authOidcSettings':
      return (
        <ServiceForm
          setting={setting}
          service="authOidcSettings"
          fields={[]}
          inUse={offered.includes('oidc')}
          open={offered.includes('oidc')}
          save={t('admin.settings.save')}
        />
      );
    case 'authCasSettings':
      return (
        <ServiceForm
          setting={setting}
          service="authCasSettings"
          fields={casFields}
          inUse={offered.includes('cas')}
          open={service === undefined ? offered.includes('cas') : service === 'cas'}
          save={t('admin.settings.save')}
        />
      );
    default:
      return <SettingRow setting={setting} isSet={answer.secrets.includes(setting.key)} />;
  }
}
