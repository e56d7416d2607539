import { useRef, useState } from 'react';
import type { FirstStep } from '../../../../../model/settings/firstSteps';
import { Button, LinkButton } from '../../../components/Button';
import { RadioCards } from '../../../components/RadioCards';
import { toasts, useErrorToast } from '../../../components/Toasts';
import { useSaveSetting } from '../../../data/administration';
import { isError } from '../../../data/client';
import { askToLeave, base } from '../../../navigation/location';
import { paths } from '../../../navigation/paths';
import { useErrorText } from '../../../texts/errorText';
import { useTranslation } from '../../../texts/i18n';
import { adminPaths } from '../adminPaths';
import { OneSetting } from '../settings/OneSetting';
import { TestMail } from '../settings/TestMail';
import { hasUnsaved, saveAll } from '../settings/unsaved';
import styles from './FirstSteps.module.css';
import { type FirstSteps, settingOf } from './useFirstSteps';

interface PartProps {
  steps: FirstSteps;
}

const mailKeys = ['SMTPHost', 'SMTPPort', 'SMTPTLS', 'SMTPSSL', 'SMTPUser', 'SMTPPass', 'SMTPEmailFrom'];

/** The content of a step: its purpose, its settings, and the buttons that lead on. */
export function StepBody({ step, steps, onClosed }: PartProps & { step: FirstStep; onClosed: () => void }) {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const [busy, setBusy] = useState(false);
  const goOn = async (): Promise<void> => {
    setBusy(true);
    try {
      await steps.close(step);
      onClosed();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  const isDone = steps.states[step] === 'done' || step === 'accounts';
  const press = async (): Promise<void> => {
    if (!isDone && hasUnsaved()) askToLeave(() => void goOn());
    else if (await saveAll(steps.settings.settings.map(({ key }) => key))) await goOn();
  };
  return (
    <>
      <p>{t(`admin.firstSteps.${step}.text`)}</p>
      {step === 'address' && <Address steps={steps} />}
      {step === 'mail' && (
        <>
          <Settings steps={steps} keys={mailKeys} />
          <TestMail
            settings={mailKeys.flatMap((key) => settingOf(steps.settings, key) ?? [])}
            contact={settingOf(steps.settings, 'mailContact')?.value}
          />
        </>
      )}
      {step === 'accounts' && <Accounts steps={steps} />}
      {step === 'folder' && <Folder steps={steps} />}
      <div className="wrapping">
        <Button kind={isDone ? 'primary' : 'secondary'} busy={busy} onClick={() => void press()}>
          {isDone ? t('admin.firstSteps.continue') : t('admin.firstSteps.leaveOut')}
        </Button>
      </div>
    </>
  );
}

interface SettingsProps extends PartProps {
  keys: readonly string[];
  service?: Service;
}

function Settings({ steps, keys, service }: SettingsProps) {
  return (
    <ul>
      {keys.map((key) => {
        const setting = settingOf(steps.settings, key);
        return (
          setting && <OneSetting key={key} setting={setting} answer={steps.settings} service={service} />
        );
      })}
    </ul>
  );
}

/** Suggests the address that this browser uses, because it is right for most servers. */
function Address({ steps }: PartProps) {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const { mutateAsync, isPending } = useSaveSetting('rootUrl');
  const setting = settingOf(steps.settings, 'rootUrl');
  const address = location.origin + base.replace(/\/mypads\/$/, '');
  return (
    <>
      {setting?.value === '' && !setting.locked && (
        <Button
          kind="primary"
          busy={isPending}
          className={styles.address}
          onClick={() => mutateAsync({ value: address, was: { value: '' } }).catch(showError)}
        >
          {t('admin.firstSteps.address.use', { address })}
        </Button>
      )}
      <Settings steps={steps} keys={['rootUrl', 'trustProxy']} />
    </>
  );
}

const services = ['ldap', 'cas', 'oidc', 'header'] as const;
type Service = (typeof services)[number];
const ways = ['open', 'closed', ...services] as const;
type Way = (typeof ways)[number];

const serviceOf = (value: unknown): Service | undefined => services.find((service) => service === value);

/** What people need to sign in by a service. */
const settingsOf: Readonly<Record<Service, readonly string[]>> = {
  ldap: ['authLdapSettings'],
  cas: ['rootUrl', 'authCasSettings'],
  oidc: ['rootUrl', 'authOidcSettings'],
  header: ['trustProxy', 'authHeaderSettings'],
};

/** A service that cannot be used yet, and why: its settings must be saved first. */
interface Wanted {
  service: Service;
  error: unknown;
}

/** Who gets an account: two settings as one question, then the settings of the service. */
function Accounts({ steps }: PartProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { mutateAsync: saveMethod } = useSaveSetting('authMethod');
  const { mutateAsync: saveRegistration } = useSaveSetting('openRegistration');
  const [wanted, setWanted] = useState<Wanted | null>(null);
  /** What was chosen last, until it is stored or refused. */
  const [chosen, setChosen] = useState<Way | null>(null);
  const storing = useRef(Promise.resolve());
  const method = settingOf(steps.settings, 'authMethod');
  const registration = settingOf(steps.settings, 'openRegistration');
  if (method?.locked || registration?.locked) {
    return <Settings steps={steps} keys={['authMethod', 'openRegistration']} />;
  }
  const way = wanted?.service ?? serviceOf(method?.value);
  const store = async (next: Way): Promise<void> => {
    const service = serviceOf(next);
    try {
      await saveMethod({ value: service ?? 'internal' });
      if (service === undefined) await saveRegistration({ value: next === 'open' });
      setWanted(null);
    } catch (error) {
      const lacksSettings = isError(error, 'BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED');
      if (service !== undefined && lacksSettings) setWanted({ service, error });
      else toasts.error(errorText(error));
    }
    setChosen((now) => (now === next ? null : now));
  };
  /** One choice is stored after the other, so that the last one stays. */
  const choose = (next: Way): void => {
    setChosen(next);
    storing.current = storing.current.then(() => store(next));
  };
  return (
    <>
      <RadioCards<Way>
        label={t('admin.firstSteps.accounts.title')}
        layout="stacked"
        value={chosen ?? way ?? (registration?.value === true ? 'open' : 'closed')}
        onChange={choose}
        cards={ways.map((value) => ({
          value,
          label: t(`admin.firstSteps.accounts.${value}`),
          help: t(`admin.firstSteps.accounts.${value}.help`),
        }))}
      />
      {wanted !== null && <p role="alert">{errorText(wanted.error)}</p>}
      {way !== undefined && <Settings steps={steps} keys={settingsOf[way]} service={way} />}
      {wanted !== null && <Button onClick={() => choose(wanted.service)}>{t('action.retry')}</Button>}
    </>
  );
}

function Folder({ steps }: PartProps) {
  const { t } = useTranslation();
  return (
    <div className="wrapping">
      <LinkButton kind={steps.accounts === 0 ? 'primary' : 'secondary'} href={adminPaths.addUser}>
        {t('admin.users.add')}
      </LinkButton>
      {steps.accounts > 0 && (
        <LinkButton kind="primary" href={paths.addFolder}>
          {t('nav.newFolder')}
        </LinkButton>
      )}
    </div>
  );
}
