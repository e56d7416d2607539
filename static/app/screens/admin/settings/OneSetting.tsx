import { useMemo } from 'react';
import type { AdminSetting, AdminSettingsAnswer } from '../../../../../api/admin/schema';
import { useTranslation } from '../../../i18n';
import { LoginMessageForm } from './LoginMessageForm';
import { ServiceForm } from './ServiceForm';
import { SettingRow } from './SettingRow';
import { casFields, ldapFields } from './serviceFields';

/** A setting with the form that fits it. `answer`: all settings. */
export function OneSetting({ setting, answer }: { setting: AdminSetting; answer: AdminSettingsAnswer }) {
  const { t } = useTranslation();
  const method = useMemo(() => answer.settings.find(({ key }) => key === 'authMethod')?.value, [answer]);
  switch (setting.key) {
    case 'loginMsg':
      return <LoginMessageForm setting={setting} />;
    case 'authLdapSettings':
      return (
        <ServiceForm
          setting={setting}
          fields={ldapFields}
          inUse={method === 'ldap'}
          isSet={answer.secrets.includes('authLdapSettings.bindCredentials')}
          save={t('admin.ldap.save')}
        />
      );
    case 'authCasSettings':
      return (
        <ServiceForm
          setting={setting}
          fields={casFields}
          inUse={method === 'cas'}
          save={t('admin.settings.save')}
        />
      );
    default:
      return <SettingRow setting={setting} isSet={answer.secrets.includes(setting.key)} />;
  }
}
