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
  const inUse = useMemo(() => answer.settings.find(({ key }) => key === 'authMethod')?.value, [answer]);
  switch (setting.key) {
    case 'loginMsg':
      return <LoginMessageForm setting={setting} />;
    case 'authLdapSettings':
      return (
        <ServiceForm
          setting={setting}
          service="authLdapSettings"
          fields={ldapFields}
          inUse={inUse === 'ldap'}
          open={(service ?? inUse) === 'ldap'}
          isSet={answer.secrets.includes('authLdapSettings.bindCredentials')}
          save={t('admin.ldap.save')}
        />
      );
    case 'authCasSettings':
      return (
        <ServiceForm
          setting={setting}
          service="authCasSettings"
          fields={casFields}
          inUse={inUse === 'cas'}
          open={(service ?? inUse) === 'cas'}
          save={t('admin.settings.save')}
        />
      );
    default:
      return <SettingRow setting={setting} isSet={answer.secrets.includes(setting.key)} />;
  }
}
