import { type KeyboardEvent, useId, useState } from 'react';
import { Button } from '../../../components/Button';
import { CopyField } from '../../../components/CopyField';
import { Disclosure } from '../../../components/Disclosure';
import { Field } from '../../../components/Field';
import { TextInput } from '../../../components/TextInput';
import { toasts } from '../../../components/Toasts';
import { useAdminSettings, useTrySignIn } from '../../../data/administration';
import { useErrorText } from '../../../texts/errorText';
import { useTranslation } from '../../../texts/i18n';
import { ServiceInputs, type ServiceInputsProps } from './ServiceInputs';
import styles from './Settings.module.css';
import { isObject, moreProviderFields, providerFields, valueAt } from './serviceFields';
import { useMissingAddress } from './TestService';

/** The providers of OpenID Connect: the fields of each, and the addresses to enter there. */
export function OidcProviders(props: ServiceInputsProps) {
  const { value, disabled, onChange } = props;
  const providers = isObject(value.providers) ? value.providers : {};
  const store = (next: object): void => onChange({ ...value, providers: next });
  return (
    <>
      {Object.keys(providers).map((id) => (
        <Provider
          key={id}
          id={id}
          {...props}
          onRemove={() => {
            const { [id]: _, ...others } = providers;
            store(others);
          }}
        />
      ))}
      {!disabled && (
        <AddProvider
          taken={Object.keys(providers)}
          onAdd={(id) => store({ ...providers, [id]: { name: '', issuer: '', clientId: '' } })}
        />
      )}
    </>
  );
}

function Provider({ id, onRemove, ...props }: ServiceInputsProps & { id: string; onRemove: () => void }) {
  const { t } = useTranslation();
  const [more, setMore] = useState(false);
  const within = `providers.${id}.`;
  const name = valueAt(props.value, `${within}name`);
  return (
    <fieldset className={styles.provider}>
      <legend>{typeof name === 'string' && name !== '' ? `${name} (${id})` : id}</legend>
      <div className={styles.fields}>
        <ServiceInputs {...props} fields={providerFields} within={within} />
        <Disclosure
          summary={t('admin.oidc.more')}
          open={more}
          onToggle={(event) => setMore(event.currentTarget.open)}
        >
          {more && (
            <div className={styles.fields}>
              <ServiceInputs {...props} fields={moreProviderFields} within={within} />
            </div>
          )}
        </Disclosure>
        <Addresses id={id} />
        <div className={styles.buttons}>
          <TrySignIn id={id} />
          {!props.disabled && (
            <Button small onClick={onRemove}>
              {t('admin.oidc.remove')}
            </Button>
          )}
        </div>
      </div>
    </fieldset>
  );
}

/** What to enter at the provider. */
function Addresses({ id }: { id: string }) {
  const { t } = useTranslation();
  const settings = useAdminSettings().data?.settings ?? [];
  const root = String(settings.find(({ key }) => key === 'rootUrl')?.value || location.origin);
  const own = `${root}/mypads/api/auth/oidc/${id}`;
  const copy = t('admin.oidc.copy');
  return (
    <>
      <CopyField copy={copy} label={t('admin.oidc.redirect')} value={`${own}/callback`} />
      <CopyField copy={copy} label={t('admin.oidc.afterSignOut')} value={`${root}/mypads/`} />
      <CopyField copy={copy} label={t('admin.oidc.backChannel')} value={`${own}/logout`} />
    </>
  );
}

/** Opens the provider in a new tab, which shows what it says of the person. Nothing changes here. */
function TrySignIn({ id }: { id: string }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const missing = useMissingAddress();
  const { mutateAsync, isPending } = useTrySignIn();
  const stored = useAdminSettings().data?.settings.find(({ key }) => key === 'authOidcSettings')?.value;
  if (valueAt(isObject(stored) ? stored : {}, `providers.${id}`) === undefined) return null;
  const start = async (): Promise<void> => {
    // Opened at once: browsers forbid it after an answer.
    const tab = open('about:blank', '_blank');
    try {
      const { url } = await mutateAsync(id);
      tab?.location.replace(url);
    } catch (error) {
      tab?.close();
      toasts.error(errorText(error, missing));
    }
  };
  return (
    <Button small busy={isPending} onClick={() => void start()}>
      {t('admin.oidc.try')}
    </Button>
  );
}

interface AddProviderProps {
  taken: readonly string[];
  onAdd: (id: string) => void;
}

function AddProvider({ taken, onAdd }: AddProviderProps) {
  const { t } = useTranslation();
  const [id, setId] = useState('');
  const field = useId();
  // Every object has a `constructor`, so the server refuses it as a name.
  const usable = /^[a-z0-9][a-z0-9-]{0,39}$/.test(id) && !taken.includes(id) && !(id in {});
  const add = (): void => {
    if (!usable) return;
    onAdd(id);
    setId('');
    // The button cannot have it any more.
    document.getElementById(field)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    // The form around would be sent.
    event.preventDefault();
    add();
  };
  return (
    <div className={styles.provider}>
      <Field id={field} label={t('admin.oidc.id')} help={t('admin.oidc.id.help')}>
        <TextInput
          aria-required={false}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={id}
          onChange={({ target }) => setId(target.value.trim().toLowerCase())}
          onKeyDown={onKeyDown}
        />
      </Field>
      <div className={styles.buttons}>
        <Button small disabled={!usable} onClick={add}>
          {t('admin.oidc.add')}
        </Button>
      </div>
    </div>
  );
}
