import { useState } from 'react';
import type { TokenFields } from '../../../../api/token/schema';
import { limits } from '../../../../model/limits';
import { scopes as allScopes, type Scope } from '../../../../model/store/entities';
import { Checkbox } from '../../components/Checkbox';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { Select } from '../../components/Select';
import { ShownOnce } from '../../components/ShownOnce';
import { TextInput } from '../../components/TextInput';
import { useForm } from '../../components/useForm';
import { useTranslation } from '../../texts/i18n';
import styles from './Tokens.module.css';

/** Days after which a new token ends. */
const durations = { week: 7, month: 30, quarter: limits.tokenDays, year: 365 } as const;
type Duration = keyof typeof durations;
const durationTexts = {
  week: 'links.ends.week',
  month: 'links.ends.month',
  quarter: 'tokens.ends.quarter',
  year: 'links.ends.year',
} as const satisfies Record<Duration, string>;

export interface NewTokenProps {
  /** A server administrator may also choose `administration`. */
  ofAdministrator?: boolean;
  /** Makes it on the server. Returns its text. */
  make: (fields: TokenFields) => Promise<string>;
  onClose: () => void;
}

/** Asks what a new token is for and what it allows, then shows it once. */
export function NewToken({ ofAdministrator = false, make, onClose }: NewTokenProps) {
  const { t } = useTranslation();
  const [token, setToken] = useState<string>();
  if (token !== undefined)
    return (
      <ShownOnce
        title={t('tokens.made')}
        text={t('tokens.made.text')}
        label={t('tokens.token')}
        value={token}
        copy={t('tokens.copy')}
        onClose={onClose}
      />
    );
  return <TokenForm {...{ ofAdministrator, make, onClose }} onMade={setToken} />;
}

type FormProps = Required<NewTokenProps> & { onMade: (token: string) => void };

function TokenForm({ ofAdministrator, make, onClose, onMade }: FormProps) {
  const { t } = useTranslation();
  const offered = allScopes.filter((scope) => ofAdministrator || scope !== 'administration');
  const form = useForm({
    initial: {
      name: '',
      read: true,
      write: false,
      people: false,
      administration: false,
      duration: 'quarter' as Duration,
      addresses: '',
    },
    check: (values) => ({
      name: values.name.trim() === '' ? t('tokens.name.required') : undefined,
      read: offered.some((scope) => values[scope]) ? undefined : t('tokens.scopes.required'),
    }),
    submit: async ({ name, duration, addresses, ...values }) => {
      const fields = {
        name,
        scopes: offered.filter((scope) => values[scope]),
        days: durations[duration],
        addresses: addresses.split(/[\s,]+/).filter((address) => address !== ''),
      };
      onMade(await make(fields));
    },
  });
  return (
    <Dialog title={t('tokens.new')} size="medium" onClose={() => !form.busy && onClose()}>
      <Form form={form} label={t('tokens.new')}>
        <Field {...form.field('name')} label={t('links.label')}>
          <TextInput {...form.text('name')} maxLength={limits.text} autoComplete="off" data-first />
        </Field>
        <Scopes offered={offered} form={form} />
        <Field {...form.field('duration')} label={t('links.ends')}>
          <Select
            {...form.text('duration')}
            options={Object.entries(durationTexts).map(([value, text]) => ({ value, label: t(text) }))}
          />
        </Field>
        <Field
          {...form.field('addresses')}
          label={t('tokens.addresses')}
          help={t('tokens.addresses.help')}
          optional
        >
          <TextInput {...form.text('addresses')} dir="ltr" autoComplete="off" spellCheck={false} />
        </Field>
        <FormActions form={form} submit={t('tokens.make')} cancel={onClose} />
      </Form>
    </Dialog>
  );
}

interface ScopesProps {
  offered: readonly Scope[];
  form: Pick<ReturnType<typeof useForm<Record<Scope, boolean>>>, 'check' | 'field'>;
}

function Scopes({ offered, form }: ScopesProps) {
  const { t } = useTranslation();
  const { id, error } = form.field('read');
  const errorId = error && `${id}-error`;
  return (
    // The summary of errors leads here.
    <fieldset id={id} tabIndex={-1} aria-describedby={errorId} className={styles.scopes}>
      <legend className={styles.legend}>{t('tokens.scopes')}</legend>
      {error !== undefined && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
      {offered.map((scope) => (
        <Checkbox
          key={scope}
          {...form.check(scope)}
          label={t(`tokens.scope.${scope}`)}
          help={t(`tokens.scope.${scope}.help`)}
        />
      ))}
    </fieldset>
  );
}
