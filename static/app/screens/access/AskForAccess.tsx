import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/Button';
import { CatchTyping } from '../../components/CatchTyping';
import type { AskedFor } from '../../data/asking';
import { useSettings, useUser } from '../../data/configuration';
import { useGroups } from '../../data/folders';
import { useTranslation } from '../../texts/i18n';
import { loadArea } from '../areas';
import type { AskFormProps } from './AskForm';

/** Whether people can ask for access on this server. */
export function useMayAsk(): boolean {
  const { allowRequests, allPadsPublicsAuthentifiedOnly } = useSettings();
  return useUser() !== undefined && allowRequests && !allPadsPublicsAuthentifiedOnly;
}

/** Milliseconds between readings of the person's folders while they wait for access. */
const waitingPoll = 4_000;

/** Calls `onChange` when the person's folders have changed while they wait: they may have got access. */
function useWaiting(waiting: boolean, onChange: () => void): void {
  const { data } = useGroups(waiting ? waitingPoll : undefined);
  const known = useRef(data);
  useEffect(() => {
    if (known.current === data) return;
    known.current = data;
    if (waiting) onChange();
  });
}

export interface AskForAccessProps {
  asked: AskedFor;
  /** The request was sent. */
  sent: boolean;
  onSent: () => void;
  /** Called when the person may have got access. */
  onRetry: () => void;
}

/** The button that asks for access to a folder or pad. After that, reads again when the person may have got it. */
export function AskForAccess({ asked, sent, onSent, onRetry }: AskForAccessProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  useWaiting(sent, onRetry);
  if (sent) return null;
  return (
    <>
      <Button kind="primary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('requests.ask')}
      </Button>
      {open && (
        <AskDialog
          asked={asked}
          title={t('requests.ask')}
          onClose={() => setOpen(false)}
          onSent={() => {
            setOpen(false);
            onSent();
          }}
        />
      )}
    </>
  );
}

const LoadedAskForm = lazy(async () => {
  const [{ AskForm: form }] = await Promise.all([import('../recovery/recovery'), loadArea('account')]);
  return { default: form };
});

/** Asks for a sentence for the managers, and sends the request. The first screen does not need the form. */
export function AskDialog(props: AskFormProps) {
  return (
    <Suspense fallback={<CatchTyping forDialog />}>
      <LoadedAskForm {...props} />
    </Suspense>
  );
}
