import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/Button';
import { useSettings, useUser } from '../../data/configuration';
import { useGroups } from '../../data/folders';
import type { AskedFor } from '../../data/requests';
import { useTranslation } from '../../texts/i18n';
import { loadArea } from '../areas';
import type { AskDialogProps } from './AskDialog';

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

const LoadedAskDialog = lazy(async () => {
  const [{ AskDialog: dialog }] = await Promise.all([import('../forms'), loadArea('account')]);
  return { default: dialog };
});

/** The dialog, which the first screen does not need. */
export function AskDialog(props: AskDialogProps) {
  return (
    <Suspense>
      <LoadedAskDialog {...props} />
    </Suspense>
  );
}
