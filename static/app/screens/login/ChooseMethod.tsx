import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { SignInMethodAnswer } from '../../../../api/answers';
import { Button } from '../../components/Button';
import { Failure } from '../../components/Failure';
import { call } from '../../data/client';
import { useServiceReady, useSettings, useUser } from '../../data/configuration';
import { guestToken, returnPath, signInPath } from '../../data/session';
import { completeSignIn } from '../../data/signIn';
import { useCall } from '../../data/useCall';
import { hasDrafts } from '../../forms/drafts';
import { readItem, writeItem } from '../../lib/storage';
import { navigate, useQueryParams } from '../../navigation/location';
import { useErrorText } from '../../texts/errorText';
import { useTranslation } from '../../texts/i18n';
import { Redirect } from '../home/Home';
import { Card } from './Card';
import styles from './ChooseMethod.module.css';
import { OtherWays, PasswordForm, usePasswordForm } from './Login';
import { useLoginMessage } from './LoginMessage';
import { endLeaving, hasLeft } from './leave';
import { Starting } from './Starting';

const returnItem = 'mypads_return';
/** How somebody has last signed in with this browser: by the service of this name, or by `password`. */
const methodItem = 'mypads_method';

/**
 * CAS always sends people back to the same address, because tickets are valid only for it. So the path to open
 * afterwards is stored in this tab.
 */
function keepReturn(path: string): void {
  writeItem(returnItem, path, 'sessionStorage');
}

/** `null` if this tab has not gone to CAS. */
function keptReturn(): string | null {
  try {
    return sessionStorage.getItem(returnItem);
  } catch {
    return '/';
  }
}

function forgetReturn(): void {
  writeItem(returnItem, null, 'sessionStorage');
}

/** A ticket of CAS, the code for which the server keeps the outcome, or what the proxy says with each call. */
type Proof = { ticket: string } | { code: string } | 'header';

/**
 * What a service has added to the address. Anyone could send a link with a ticket of their own, to have someone work in
 * their account. So only a tab that has gone to CAS uses a ticket.
 */
function proofIn(parameters: URLSearchParams): Proof | 'foreign' | null {
  const [ticket, code] = [parameters.get('ticket'), parameters.get('oidc')];
  if (code !== null) return { code };
  if (ticket === null) return null;
  return keptReturn() === null ? 'foreign' : { ticket };
}

/** Of the address that was opened. `proof`: what this tab uses. `auto`: the service that opens by itself. */
function useGiven(parameters: URLSearchParams) {
  const [given] = useState(() => proofIn(parameters));
  const isForeign = given === 'foreign';
  return { given, proof: isForeign ? null : given, auto: isForeign ? 'cas' : parameters.get('auto') };
}

/** The new tab has not gone to CAS itself, so it does not use the ticket that it gets, and goes there once more. */
function openInOtherTab(url: string): void {
  endLeaving();
  open(url, '_blank', 'noopener');
}

function answerTo(proof: Proof) {
  const token = guestToken();
  if (proof === 'header') return call('POST /auth/login/header', { body: {}, token });
  if ('code' in proof) return call('POST /auth/login/oidc', { body: proof, token });
  return call('POST /auth/login/cas', { body: proof, token });
}

/** Signs the person in with a proof, and opens `path`. */
function useProof(path: string) {
  const client = useQueryClient();
  const { mutateAsync, error, isPending } = useCall(async (proof: Proof) => {
    const answer = await answerTo(proof);
    endLeaving();
    await completeSignIn(client, answer);
  });
  const redeem = (proof: Proof): Promise<void> =>
    mutateAsync(proof).then(
      () => navigate(path, { replace: true }),
      () => undefined,
    );
  return { redeem, error, isPending };
}

interface Service {
  id: string;
  name: string;
  /** Its page. A proxy has none. */
  url: string | undefined;
}

const serviceOf = ({ method, proof, provider = method, name, url }: SignInMethodAnswer): Service[] =>
  (proof === 'redirect' && url !== undefined) || (proof === 'header' && name !== undefined)
    ? [{ id: provider, name: name ?? provider, url }]
    : [];

/**
 * The services that can be opened, the one used last first, and which of them opens by itself: the only way to sign in,
 * or the one that the setting `autoSignIn` or the parameter `auto` of the address says. `auto=no`: none.
 */
function useServices(auto: string | null) {
  const { signInMethods, autoSignIn } = useSettings();
  const last = readItem(methodItem) ?? undefined;
  const all = signInMethods.flatMap(serviceOf);
  const services = [...all].sort((one, other) => Number(other.id === last) - Number(one.id === last));
  const hasPasswords = signInMethods.some(({ proof }) => proof === 'typed');
  const isOnly = !hasPasswords && all.length === 1;
  const [first] = signInMethods;
  const direct = isOnly || autoSignIn ? (first?.proof === 'typed' ? undefined : all[0]) : undefined;
  return {
    services,
    hasPasswords,
    /** The form for a password comes first. */
    passwordFirst:
      hasPasswords &&
      (all.length === 0 || (last === undefined ? first?.proof === 'typed' : last === 'password')),
    direct: auto === null ? direct : all.find(({ id }) => id === auto),
  };
}

/**
 * Sign-in with services that have a page of their own. It opens one by itself if `useServices` says so, but not after a
 * failure or a sign-out, nor with a message to read. If there are half-filled forms, the service opens in another tab,
 * and this one shows them again when the person has signed in there.
 */
export function ChooseMethod() {
  const { t } = useTranslation();
  const user = useUser();
  const message = useLoginMessage();
  const [parameters] = useQueryParams();
  const { given, proof, auto } = useGiven(parameters);
  const [wasSignedIn] = useState(user !== undefined);
  const [leaving, setLeaving] = useState(false);
  const ready = useServiceReady();
  const started = useRef(false);
  // The address to which services send people back may name no path.
  const path = proof !== null && !parameters.has('return') ? (keptReturn() ?? '/') : returnPath(parameters);
  const { redeem, error, isPending } = useProof(path);
  const form = usePasswordForm(path, () => writeItem(methodItem, 'password'));
  const { services, hasPasswords, passwordFirst, direct } = useServices(auto);

  const choose = ({ id, url }: Service): void => {
    writeItem(methodItem, id);
    if (url === undefined) {
      void redeem('header');
      return;
    }
    if (hasDrafts()) {
      openInOtherTab(url);
      return;
    }
    keepReturn(path);
    setLeaving(true);
    location.replace(url);
  };

  const needsButton = hasLeft() || hasDrafts() || message !== '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs once; the functions are new at each rendering
  useEffect(() => {
    if (started.current || user !== undefined || !ready) return;
    started.current = true;
    // A proof works once. It must not stay in the history. The path must, because this screen is rendered anew for
    // the person, or for one whom another tab has signed in meanwhile.
    if (given !== null) navigate(signInPath(path), { replace: true });
    if (proof !== null) {
      forgetReturn();
      void redeem(proof);
    } else if (direct !== undefined && !needsButton) choose(direct);
  }, [ready, proof, user, direct, path, needsButton]);

  if (user !== undefined && !form.busy && (wasSignedIn || proof === null)) return <Redirect to={path} />;
  const busy = leaving || isPending || (proof !== null && error === null);
  const isUnknown = services.length === 0 && !hasPasswords;
  const passwordForm = hasPasswords && !busy && <PasswordForm form={form} isSecond={!passwordFirst} />;
  const note = busy ? t('cas.busy') : hasDrafts() ? t('sessionEnded.elsewhere') : t('cas.text');
  return (
    <Card title={t('login.title')} withMessage footer={hasPasswords && <OtherWays form={form} />}>
      <div className={styles.column}>
        <Starting ready={ready} />
        <ShownFailure error={error} unknown={isUnknown} />
        {!busy && !isUnknown && hasLeft() && <p>{t('logout.done')}</p>}
        {passwordFirst && passwordForm}
        {services.length > 0 && hasPasswords && !busy && passwordFirst && <Or />}
        {(busy || (!hasPasswords && services.some(({ url }) => url !== undefined))) && !isUnknown && (
          <p>{note}</p>
        )}
        {services.map((service, index) => (
          <Button
            key={service.id}
            kind={index === 0 && !passwordFirst ? 'primary' : 'secondary'}
            wide
            busy={busy}
            onClick={() => choose(service)}
          >
            {error !== null && services.length === 1
              ? t('action.retry')
              : t('cas.submit', { server: service.name })}
          </Button>
        ))}
        {!passwordFirst && passwordForm && <Or />}
        {!passwordFirst && passwordForm}
      </div>
    </Card>
  );
}

/** Between the services and the form for a password. */
function Or() {
  const { t } = useTranslation();
  return <p className={styles.or}>{t('login.or')}</p>;
}

function ShownFailure({ error, unknown }: { error: unknown; unknown: boolean }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const text = unknown ? t('cas.unknown') : error === null ? null : errorText(error);
  return <div role="alert">{text !== null && <Failure>{text}</Failure>}</div>;
}
