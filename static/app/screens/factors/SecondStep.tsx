import { useEffect, useState } from 'react';
import type { LoginAnswer } from '../../../../api/auth/schema';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { TextInput } from '../../components/TextInput';
import { useForm } from '../../components/useForm';
import { call } from '../../data/client';
import { askForPasskey, makePasskey } from '../../data/passkeys';
import type { AskedStep } from '../../data/secondStep';
import { guestToken, readSession, watchOtherTabs } from '../../data/session';
import { browserName } from '../../lib/browserName';
import { useTranslation } from '../../texts/i18n';
import styles from './Factors.module.css';
import { RecoveryCodes } from './RecoveryCodes';
import { SetUpApp } from './SetUpApp';

type Way = AskedStep['question']['factor'][number];

const ways = {
  totp: 'secondStep.useApp',
  passkey: 'secondStep.usePasskey',
  recovery: 'secondStep.useRecovery',
} as const satisfies Record<Way, string>;
const waysToSetUp = { ...ways, totp: 'factors.app.add', passkey: 'factors.passkey.add' } as const;

/** What a new passkey is called: the browser that makes it, such as `Firefox, Linux`. */
function ownBrowser(): string {
  const { browser, system } = browserName(navigator.userAgent);
  return [browser, system].filter((part) => part !== '').join(', ') || 'Passkey';
}

/** Gives up when another tab has signed in. Not while recovery codes are shown, because they are shown once. */
function useSignInElsewhere(isAsking: boolean, finish: AskedStep['finish']): void {
  useEffect(
    () => (isAsking ? watchOtherTabs(() => readSession().token !== null && finish(null)) : undefined),
    [isAsking, finish],
  );
}

/** Asks for the second step of a sign-in, or lets the person set up an app or a passkey if they must have one. */
export function SecondStep({ question, finish }: AskedStep) {
  const { t } = useTranslation();
  const { factor, pending, setUp } = question;
  const [way, setWay] = useState<Way>(factor[0] ?? 'totp');
  const [done, setDone] = useState<{ answer: LoginAnswer; codes: readonly string[] }>();
  const prove = async (by: Way, code: string) => {
    if (by !== 'passkey') return { [by === 'totp' ? 'code' : 'recoveryCode']: code };
    if (setUp?.passkey === undefined) return { passkey: await askForPasskey() };
    return { newPasskey: { name: ownBrowser(), passkey: await makePasskey(setUp.passkey) } };
  };
  const form = useForm({
    initial: { code: '', remember: false },
    mayBeLost: true,
    check: ({ code }) => ({
      code: way !== 'passkey' && code.trim() === '' ? t('factors.code.required') : undefined,
    }),
    submit: async ({ code, remember }) => {
      const body = { pending, remember, ...(await prove(way, code.trim())) };
      const { recoveryCodes, ...answer } = await call('POST /auth/login/factor', {
        body,
        token: guestToken(),
      });
      if (recoveryCodes === undefined) finish(answer);
      else setDone({ answer, codes: recoveryCodes });
    },
  });
  useSignInElsewhere(done === undefined, finish);
  if (done) return <RecoveryCodes codes={done.codes} onClose={() => finish(done.answer)} />;
  const offered: readonly Way[] =
    setUp === undefined ? factor : setUp.passkey ? ['totp', 'passkey'] : ['totp'];
  const others = offered.filter((other) => other !== way);
  const texts = setUp === undefined ? ways : waysToSetUp;
  const choose = (next: Way): void => {
    setWay(next);
    form.set('code', '');
  };
  const choices = others.length > 0 && (
    <div className={styles.others}>
      {others.map((other) => (
        <Button key={other} kind="quiet" small disabled={form.busy} onClick={() => choose(other)}>
          {t(texts[other])}
        </Button>
      ))}
    </div>
  );
  const title = t(setUp ? 'factors.title' : 'secondStep.title');
  return (
    <Dialog title={title} onClose={() => !form.busy && finish(null)}>
      <Form form={form} label={title}>
        {setUp && (
          <>
            <p>{t(way === 'passkey' ? 'secondStep.setUpPasskey' : 'secondStep.setUp')}</p>
            {way === 'totp' && <SetUpApp {...setUp} />}
          </>
        )}
        {way !== 'passkey' && (
          <Field
            key={way}
            {...form.field('code')}
            label={t(way === 'totp' ? 'factors.code' : 'factors.recovery.code')}
          >
            <TextInput
              {...form.text('code')}
              dir="ltr"
              autoComplete={way === 'totp' ? 'one-time-code' : 'off'}
              inputMode={way === 'totp' ? 'numeric' : 'text'}
              autoCapitalize="none"
              spellCheck={false}
              autoFocus
              data-first
            />
          </Field>
        )}
        <Checkbox {...form.check('remember')} label={t('secondStep.remember')} />
        <FormActions
          form={form}
          submit={t(way === 'passkey' ? texts.passkey : 'action.signIn')}
          first={way === 'passkey'}
          cancel={() => finish(null)}
        />
      </Form>
      {choices}
    </Dialog>
  );
}
