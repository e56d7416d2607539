import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect } from 'react';
import { Router } from 'wouter';
import type { OwnUser } from '../../../api/answers';
import { languageCodes, matchLanguage } from '../../../model/languages';
import { Button } from '../components/Button';
import { Dialog } from '../components/Dialog';
import { setInstanceTitle } from '../components/pageTitle';
import { ErrorState, SkeletonRows } from '../components/States';
import { Toasts, toasts } from '../components/Toasts';
import { useConfiguration, useSettings, useUser } from '../data/configuration';
import { useConnectionLost } from '../data/connection';
import { createQueryClient } from '../data/queryClient';
import { useAskedStep } from '../data/secondStep';
import { readSession, useSessionState, watchOtherTabs } from '../data/session';
import { toHref, useLeaveQuestion, useLocation } from '../navigation/location';
import { Administration, type Frame, frameOf, PersonFrame, Routes, SecondStep, SignInAgain } from '../routes';
import {
  boot,
  chooseLanguage,
  languageProblem,
  TranslationProvider,
  translate,
  useTranslation,
} from '../texts/i18n';
import styles from './App.module.css';
import { ErrorBoundary } from './ErrorBoundary';
import { CardFrame, GuestFrame } from './Frame';

setInstanceTitle(boot.title);
const client = createQueryClient();

/** The whole page. */
export function App() {
  return (
    <QueryClientProvider client={client}>
      <TranslationProvider>
        <Router hook={useLocation} hrefs={toHref}>
          <Start />
        </Router>
      </TranslationProvider>
    </QueryClientProvider>
  );
}

function Waiting() {
  return <div className={styles.waiting} aria-busy="true" />;
}

/** Shows a loading indicator until texts and configuration are loaded, or an error with what to do. */
function Start() {
  const { t, language } = useTranslation();
  const { data, error, isFetching, refetch } = useConfiguration();
  if (language === 'none' || (data === undefined && error === null)) {
    return <Waiting />;
  }
  if (data === undefined) {
    return (
      <main className={styles.failed}>
        <ErrorState title={t('boot.failed')} error={error} busy={isFetching} onRetry={() => void refetch()} />
      </main>
    );
  }
  setInstanceTitle(data.value.title);
  return <Shell />;
}

/** Shows the page in the language of the account, and stores it, so that the next visit begins in it. */
function useLanguageOf(user: OwnUser | undefined): void {
  const code = user && matchLanguage([user.lang], languageCodes);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person may sign in, with the same language
  useEffect(() => {
    if (code !== undefined) chooseLanguage(code).catch(() => toasts.error(translate(languageProblem)));
  }, [user?._id, code]);
}

/**
 * Hides the hints below fields for people who do not want them, or for everybody if a setting says so; but not in the
 * administration, where hints say what a setting does.
 */
function useHints(frame: Frame, user: OwnUser | undefined): void {
  const { hideHelpBlocks } = useSettings();
  const hidden = frame !== 'admin' && (hideHelpBlocks || user?.hideHelp === true);
  useEffect(() => {
    document.documentElement.dataset.help = hidden ? 'hidden' : 'shown';
  }, [hidden]);
}

/** Another tab has signed the person out: this one shows the sign-in screen, and says why. */
function useSignOutElsewhere(): void {
  useEffect(
    () =>
      watchOtherTabs(() => {
        if (readSession().token === null) toasts.info(translate('logout.done'));
      }),
    [],
  );
}

function Shell() {
  const user = useUser();
  const { ended } = useSessionState();
  useLanguageOf(user);
  const [path] = useLocation();
  const frame = frameOf(path);
  useHints(frame, user);
  useSignOutElsewhere();
  const asked = useAskedStep();
  return (
    <ErrorBoundary path={path}>
      <UserFrame frame={frame} user={user}>
        <ErrorBoundary path={path}>
          <Suspense fallback={frame === 'admin' ? <Waiting /> : <SkeletonRows />}>
            {frame === 'admin' ? (
              <Administration path={path} />
            ) : (
              <Routes key={user?._id} path={path} user={user} />
            )}
          </Suspense>
        </ErrorBoundary>
      </UserFrame>
      <ConnectionBar />
      <Suspense>{ended && frame !== 'admin' && <SignInAgain />}</Suspense>
      <Suspense>{asked !== null && <SecondStep key={asked.question.pending} {...asked} />}</Suspense>
      <LeaveQuestion />
      <Toasts />
    </ErrorBoundary>
  );
}

interface UserFrameProps {
  frame: Frame;
  user: OwnUser | undefined;
  children: ReactNode;
}

function UserFrame({ frame, user, children }: UserFrameProps) {
  if (frame === 'admin') return children;
  if (frame === 'card') return <CardFrame>{children}</CardFrame>;
  return user === undefined ? (
    <GuestFrame>{children}</GuestFrame>
  ) : (
    <PersonFrame user={user}>{children}</PersonFrame>
  );
}

/** A message that is visible as long as the server does not answer. */
function ConnectionBar() {
  const { t } = useTranslation();
  const lost = useConnectionLost();
  return (
    <div role="status" className={styles.connection}>
      {lost && <p>{t('connection.lost')}</p>}
    </div>
  );
}

/** The question before a form with unsaved changes is left. */
function LeaveQuestion() {
  const { t } = useTranslation();
  const question = useLeaveQuestion();
  if (question === null) return null;
  return (
    <Dialog
      title={t('form.leave.title')}
      onClose={question.stay}
      actions={
        <>
          <Button data-first onClick={question.stay}>
            {t('form.leave.stay')}
          </Button>
          <Button kind="danger" onClick={question.leave}>
            {t('form.leave.leave')}
          </Button>
        </>
      }
    >
      <p>{t('form.leave.text')}</p>
    </Dialog>
  );
}
