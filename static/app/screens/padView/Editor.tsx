import { useState } from 'react';
import type { Pad } from '../../../../api/wire';
import { Button } from '../../components/Button';
import { classNames } from '../../components/classNames';
import { ReadonlyIcon, RetryIcon } from '../../components/icons';
import { EmptyState } from '../../components/States';
import { useTicket } from '../../data/queries';
import { useFrameNews } from '../../frame';
import { useTranslation } from '../../i18n';
import { Refusal } from '../access/Refusal';
import { frameAddress } from './editorAddress';
import styles from './PadView.module.css';

export interface EditorProps {
  pad: Pad;
  /** Which showing this is; a ticket is good for one. */
  visit: number;
  /** The pad server has turned the frame away, or the rights in the pad have changed: what is known of it may be old. */
  onNews: () => void;
  /** Asked to open it another time. */
  onAgain: () => void;
}

/** The editor in its frame. */
export function Editor({ pad, visit, onNews, onAgain }: EditorProps) {
  const { t } = useTranslation();
  const ticket = useTicket(pad._id, visit);
  const [loaded, setLoaded] = useState(false);
  const [refused, setRefused] = useState(false);
  useFrameNews({
    onRefusal: () => {
      setRefused(true);
      onNews();
    },
    onChange: onNews,
  });
  if (ticket.isError) return <Refusal what="pad" error={ticket.error} onRetry={onAgain} />;
  if (refused) {
    return (
      <EmptyState
        icon={<ReadonlyIcon />}
        title={t('access.editor.failed')}
        action={
          <Button kind="primary" icon={<RetryIcon />} onClick={onAgain}>
            {t('padView.retry')}
          </Button>
        }
      >
        {t('padView.refused.text')}
      </EmptyState>
    );
  }
  return (
    <div className={styles.editor} aria-busy={!loaded}>
      {!loaded && (
        <p role="status" className={styles.opening}>
          {t('padView.loading')}
        </p>
      )}
      {ticket.data !== undefined && (
        <iframe
          title={t('padView.frame', { name: pad.name })}
          src={frameAddress(pad._id, ticket.data)}
          className={classNames(styles.frame, loaded && styles.loaded)}
          allow="clipboard-read; clipboard-write"
          onLoad={() => setLoaded(true)}
        />
      )}
    </div>
  );
}
