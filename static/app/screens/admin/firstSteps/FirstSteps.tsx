import { useEffect, useId, useState } from 'react';
import { type FirstStep, firstSteps } from '../../../../../model/settings/firstSteps';
import { LinkButton } from '../../../components/Button';
import { Chip } from '../../../components/Chip';
import { SuccessIcon } from '../../../components/icons';
import { Page } from '../../../components/Page';
import { EmptyState, Loading, SkeletonRows } from '../../../components/States';
import { ExpandIcon } from '../../../components/screenIcons';
import { useAdminSettings } from '../../../data/administration';
import { askToLeave, navigate, useQueryParams } from '../../../navigation/location';
import { useTranslation } from '../../../texts/i18n';
import { adminPaths } from '../adminPaths';
import { DocsIntro } from '../DocsLink';
import { hasUnsaved } from '../settings/unsaved';
import styles from './FirstSteps.module.css';
import { StepBody } from './StepBody';
import { type FirstSteps as Steps, useFirstSteps } from './useFirstSteps';

/** Whether this screen was opened automatically since the page was loaded. It happens once. */
let opened = false;

/** Opens the first steps, once, while a new server is not set up. */
export function OpenFirstSteps() {
  const steps = useFirstSteps();
  const [parameters] = useQueryParams();
  // Settings from the environment, such as the address, may have done some of the steps.
  const isOpen = steps !== undefined && Object.values(steps.states).some((state) => state === 'open');
  const wanted = isOpen && steps.isNew && parameters.size === 0;
  useEffect(() => {
    if (!wanted || opened) return;
    opened = true;
    navigate(adminPaths.firstSteps, { replace: true });
  }, [wanted]);
  return null;
}

/** Prepares a new server for people, step by step. Every step can be skipped, and opened again. */
export function FirstSteps() {
  const { t } = useTranslation();
  const settings = useAdminSettings();
  const steps = useFirstSteps();
  return (
    <Page
      title={t('admin.firstSteps.title')}
      intro={
        <DocsIntro
          text={t('admin.firstSteps.intro')}
          page="administrators#first-steps"
          about={t('admin.firstSteps.title')}
        />
      }
      width="form"
    >
      {steps !== undefined && <List steps={steps} />}
      <Loading query={{ ...settings, data: steps }} failed={t('admin.settings.failed')}>
        <SkeletonRows height={64} rows={4} />
      </Loading>
    </Page>
  );
}

function List({ steps }: { steps: Steps }) {
  const { t } = useTranslation();
  const [parameters, set] = useQueryParams();
  const open = firstSteps.filter((step) => steps.states[step] === 'open');
  // A step stays open when one of its settings completes it.
  const [first] = useState(open[0]);
  const shown = parameters.get('step') ?? first;
  return (
    <>
      {open.length === 0 && (
        <EmptyState
          icon={<SuccessIcon />}
          title={t('admin.firstSteps.ready')}
          action={<LinkButton href={adminPaths.settings}>{t('admin.settings.title')}</LinkButton>}
        >
          {t('admin.firstSteps.ready.text')}
        </EmptyState>
      )}
      <ol className={styles.steps}>
        {firstSteps.map((step) => (
          <Step
            key={step}
            step={step}
            steps={steps}
            open={step === shown}
            onToggle={() => set({ step: step === shown ? 'none' : step })}
            onClosed={() => set({ step: open.find((other) => other !== step) ?? 'none' })}
          />
        ))}
      </ol>
    </>
  );
}

interface StepProps {
  step: FirstStep;
  steps: Steps;
  open: boolean;
  onToggle: () => void;
  /** Called when the step was finished or skipped. The next one is shown then. */
  onClosed: () => void;
}

function Step({ step, steps, open, onToggle, onClosed }: StepProps) {
  const { t } = useTranslation();
  const id = useId();
  const state = steps.states[step];
  return (
    <li className={styles.step}>
      <h2 className={styles.heading}>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          className={styles.toggle}
          onClick={() => (hasUnsaved() ? askToLeave(onToggle) : onToggle())}
        >
          <ExpandIcon className={styles.arrow} />
          <span className={styles.title}>{t(`admin.firstSteps.${step}.title`)}</span>
          <Chip tone={state === 'done' ? 'success' : 'neutral'}>{t(`admin.firstSteps.${state}`)}</Chip>
        </button>
      </h2>
      {open && (
        <div id={id} className={styles.body}>
          <StepBody step={step} steps={steps} onClosed={onClosed} />
        </div>
      )}
    </li>
  );
}
