import { useMemo } from 'react';
import type { AdminSetting, AdminSettingsAnswer, TestableSetting } from '../../../../../api/admin/schema';
import type { MethodName } from '../../../../../model/signin/methods';
import { useTranslation } from '../../../texts/i18n';
import { LoginMessageForm } from './LoginMessageForm';
import { ServiceForm, type ServiceFormProps } from './ServiceForm';
import { SettingRow } from './SettingRow';
import { casFields, headerFields, ldapFields } from './serviceFields';

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
  const serviceForm = (
    key: TestableSetting,
    method: MethodName,
    fields: ServiceFormProps['fields'],
    save = t('admin.settings.save'),
  ) => (
    <ServiceForm
      setting={setting}
      service={key}
      fields={fields}
      secrets={answer.secrets}
      inUse={offered.includes(method)}
      open={service === undefined ? offered.includes(method) : service === method}
      save={save}
    />
  );
  switch (setting.key) {
    case 'guidePage':
    case 'loginMsg':
      return <LoginMessageForm setting={setting} />;
    case 'authLdapSettings':
      return serviceForm('authLdapSettings', 'ldap', ldapFields, t('admin.ldap.save'));
    case 'authCasSettings':
      return serviceForm('authCasSettings', 'cas', casFields);
    case 'authOidcSettings':
      return serviceForm('authOidcSettings', 'oidc', 'providers');
    case 'authHeaderSettings':
      return serviceForm('authHeaderSettings', 'header', headerFields);
    default:
      return <SettingRow setting={setting} isSet={answer.secrets.includes(setting.key)} />;
  }
}
