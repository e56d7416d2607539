import { useRef, useState } from 'react';
import type { Pad } from '../../../../api/answers';
import { Button } from '../../components/Button';
import { classNames } from '../../components/classNames';
import { RetryIcon } from '../../components/icons';
import { EmptyState } from '../../components/States';
import { ReadonlyIcon } from '../../components/screenIcons';
import { connectionLost, useServerReturn } from '../../data/connection';
import { useTicket } from '../../data/pads';
import { answerEditor, askToReconnect, useFrameEvents } from '../../editorFrame/frameEvents';
import { parametersOf } from '../../navigation/location';
import { useTranslation } from '../../texts/i18n';
import { Refusal } from '../access/Refusal';
import { frameAddress } from './editorAddress';
import styles from './PadView.module.css';

export interface EditorProps {
  pad: Pad;
  /** Number of this opening of the editor. Each ticket is valid for one. */
  visit: number;
  /** Etherpad has refused the frame. The pad must be read again. */
  onRefusal: () => void;
  /**
   * The access rights have changed. Resolves to `hold` if the editor must stay as it is. `unsaved`: it shows text that
   * the server does not have.
   */
  onAccessChange: (unsaved: boolean) => Promise<'reload' | 'hold'>;
  /** Called to open the editor again. */
  onReopen: () => void;
}

async function show(frame: HTMLIFrameElement | null, find: string): Promise<void> {
  const { showInEditor } = await import('../../editorFrame/showInEditor');
  if (frame !== null) showInEditor(frame, find);
}

/** The editor in its frame. */
export function Editor({ pad, visit, onRefusal, onAccessChange, onReopen }: EditorProps) {
  const { t, language } = useTranslation();
  const ticket = useTicket(pad._id, visit);
  const [loaded, setLoaded] = useState(false);
  const [ready, setReady] = useState(false);
  const [refused, setRefused] = useState(false);
  // Keeps the first address: a later ticket, after signing in again, or another language must not reload the editor.
  const [address, setAddress] = useState<string>();
  if (address === undefined && ticket.data !== undefined)
    setAddress(frameAddress(pad._id, ticket.data, language));
  const frame = useRef<HTMLIFrameElement>(null);
  useFrameEvents({
    onRefusal: () => {
      setRefused(true);
      onRefusal();
    },
    onChange: (unsaved) => void onAccessChange(unsaved).then((answer) => answerEditor(frame.current, answer)),
    onDisconnect: () => void connectionLost(),
    onReady: () => {
      setReady(true);
      // A part of the text that the person has searched for.
      const find = parametersOf(location.search).get('find');
      if (find) void show(frame.current, find);
    },
  });
  useServerReturn(() => askToReconnect(frame.current));
  if (ticket.isError && address === undefined)
    return <Refusal what="pad" id={pad._id} error={ticket.error} onRetry={onReopen} />;
  if (refused) {
    return (
      <EmptyState
        icon={<ReadonlyIcon />}
        title={t('access.editor.failed')}
        action={
          <Button kind="primary" icon={<RetryIcon />} onClick={onReopen}>
            {t('padView.retry')}
          </Button>
        }
      >
        {t('padView.refused.text')}
      </EmptyState>
    );
  }
  return (
    <div className={styles.editor} aria-busy={!ready}>
      {!loaded && (
        <p role="status" className={styles.opening}>
          {t('padView.loading')}
        </p>
      )}
      {address !== undefined && (
        <iframe
          ref={frame}
          title={t('padView.frame', { name: pad.name })}
          src={address}
          className={classNames(styles.frame, loaded && styles.loaded)}
          allow="clipboard-read; clipboard-write"
          onLoad={() => setLoaded(true)}
        />
      )}
    </div>
  );
}
