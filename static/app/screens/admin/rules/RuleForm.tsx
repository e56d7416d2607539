import { useState } from 'react';
import type { SentGroupRule } from '../../../../../api/rules/schema';
import { limits } from '../../../../../model/limits';
import { listOfRole } from '../../../../../model/store/entities';
import { Checkbox } from '../../../components/Checkbox';
import { Dialog } from '../../../components/Dialog';
import { Field } from '../../../components/Field';
import { Form, FormActions } from '../../../components/Form';
import { Select } from '../../../components/Select';
import { TextInput } from '../../../components/TextInput';
import { notSaved, useForm } from '../../../components/useForm';
import { isError } from '../../../data/client';
import { useTranslation } from '../../../texts/i18n';
import { serviceOf, useServices } from './services';

interface Values {
  service: string;
  attribute: string;
  value: string;
  absentIsEmpty: boolean;
  role: SentGroupRule['role'];
  target: 'existing' | 'new';
  folder: string;
  managers: string;
}

/** The id in the address of a folder, also of its pads in the administration, or what was typed. */
const folderIn = (typed: string): string => /group[/=]([^/?&#]+)/.exec(typed)?.[1] ?? typed.trim();

/** What most services have the groups of a person in. */
const usualAttribute = (service: string): string => (service.startsWith('oidc:') ? 'groups' : 'memberOf');

const valuesOf = (rule: SentGroupRule | undefined): Values => ({
  service: rule === undefined ? 'ldap' : serviceOf(rule),
  attribute: rule?.attribute ?? usualAttribute(rule === undefined ? 'ldap' : serviceOf(rule)),
  value: rule?.value ?? '',
  absentIsEmpty: rule?.absentIsEmpty ?? false,
  role: rule?.role ?? 'reader',
  target: rule?.managers === undefined ? 'existing' : 'new',
  folder: rule?.folder ?? '',
  managers: rule?.managers?.join(', ') ?? '',
});

function ruleOf(values: Values, id: string | undefined): SentGroupRule {
  const { service, attribute, value, absentIsEmpty, role, target, folder, managers } = values;
  const [source, provider] = service.split(':');
  const where =
    target === 'existing'
      ? { folder: folderIn(folder) }
      : { managers: managers.split(',').flatMap((login) => login.trim() || []) };
  return {
    ...{ source, value: value.trim(), role, ...where },
    // A proxy sends groups and nothing else.
    ...(source !== 'header' && { attribute: attribute.trim() }),
    ...(id !== undefined && { id }),
    ...(provider !== undefined && { provider }),
    ...(source !== 'ldap' && { absentIsEmpty }),
  } as SentGroupRule;
}

export interface RuleFormProps {
  /** Which rule of the list it is. */
  place: number | 'new';
  /** What the fields have at first; missing for empty ones. */
  rule?: SentGroupRule;
  /** Asks the server what the rule would do, and the administrator whether to save it. */
  onSend: (rule: SentGroupRule) => Promise<void>;
  onClose: () => void;
}

/** Asks for a rule: whom it is about, and what it gives them. */
export function RuleForm({ place, rule, onSend, onClose }: RuleFormProps) {
  const { t } = useTranslation();
  const services = useServices(rule);
  const [reason, setReason] = useState<string>();
  const required = (text: string): string | undefined =>
    text.trim() === '' ? t('admin.rules.required') : undefined;
  const form = useForm<Values>({
    initial: valuesOf(rule),
    check: ({ service, attribute, value, target, folder, managers }) => ({
      attribute: service === 'header' ? undefined : required(attribute),
      value: required(value),
      folder: target === 'existing' ? required(folder) : undefined,
      managers: target === 'new' ? required(managers) : undefined,
    }),
    submit: async (values) => {
      try {
        await onSend(ruleOf(values, rule?.id));
      } catch (error) {
        setReason(isError(error) ? error.reason : undefined);
        throw error;
      }
      return notSaved;
    },
    // It names what does not exist.
    texts: reason === undefined ? {} : { [refused]: `${t(refused)} (${reason})` },
  });
  const choose = (service: string): void => {
    const { attribute } = form.values;
    // What was typed stays.
    if (attribute === usualAttribute(form.values.service)) form.set('attribute', usualAttribute(service));
    form.set('service', service);
  };
  const title = t(place === 'new' ? 'admin.rules.add' : 'admin.rules.edit');
  const roles = (['reader', 'writer', 'manager'] as const).map((value) => ({
    value,
    label: t(`share.role.${listOfRole[value]}`),
  }));
  const targets = (['existing', 'new'] as const).map((value) => ({
    value,
    label: t(`admin.rules.${value}`),
  }));
  return (
    <Dialog title={title} size="medium" onClose={() => !form.busy && onClose()}>
      <Form form={form} label={title}>
        <Field {...form.field('service')} label={t('admin.rules.service')}>
          <Select
            {...form.text('service')}
            options={services}
            onChange={({ target }) => choose(target.value)}
          />
        </Field>
        {form.values.service !== 'header' && (
          <Field
            {...form.field('attribute')}
            label={t('admin.rules.attribute')}
            help={t('admin.rules.attribute.help')}
          >
            <TextInput {...form.text('attribute')} maxLength={limits.attributeName} {...technical} />
          </Field>
        )}
        <Field {...form.field('value')} label={t('admin.rules.value')} help={t('admin.rules.value.help')}>
          <TextInput {...form.text('value')} maxLength={limits.attributeValue} {...technical} data-first />
        </Field>
        {form.values.service !== 'ldap' && (
          <Checkbox
            {...form.check('absentIsEmpty')}
            label={t('admin.rules.absent')}
            help={t('admin.rules.absent.help')}
          />
        )}
        <Field {...form.field('role')} label={t('admin.rules.role')}>
          <Select {...form.text('role')} options={roles} />
        </Field>
        <Field {...form.field('target')} label={t('admin.rules.target')}>
          <Select {...form.text('target')} options={targets} />
        </Field>
        {form.values.target === 'existing' ? (
          <Field
            {...form.field('folder')}
            label={t('admin.rules.folder')}
            help={t('admin.rules.folder.help')}
          >
            <TextInput {...form.text('folder')} {...technical} />
          </Field>
        ) : (
          <Field
            {...form.field('managers')}
            label={t('admin.rules.managers')}
            help={t('admin.rules.managers.help')}
          >
            <TextInput {...form.text('managers')} {...technical} />
          </Field>
        )}
        <FormActions form={form} submit={place === 'new' ? title : t('action.save')} cancel={onClose} />
      </Form>
    </Dialog>
  );
}

const refused = 'BACKEND.ERROR.CONFIGURATION.GROUP_RULE';
const technical = { dir: 'ltr', autoComplete: 'off', spellCheck: false } as const;
