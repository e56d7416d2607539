import { type DragEvent, useRef, useState } from 'react';
import { Button } from '../../components/Button';
import { classNames } from '../../components/classNames';
import { MoveIcon } from '../../components/screenIcons';
import { toasts } from '../../components/Toasts';
import { isError } from '../../data/client';
import { useErrorText } from '../../texts/errorText';
import { useTranslation } from '../../texts/i18n';
import { HelpLink } from '../guide/HelpLink';
import { type Chosen, chosenByDrop, chosenIn } from './chosenFiles';
import styles from './Import.module.css';

/** A place to drop files and folders, and buttons to choose them. */
export function ChooseFiles({ onChoose }: { onChoose: (chosen: Chosen) => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [isOver, setOver] = useState(false);
  const [busy, setBusy] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);

  async function take(read: () => Promise<Chosen | undefined>): Promise<void> {
    // The preview is of one choice: another one that is read later must not take its place.
    if (busy) return;
    setBusy(true);
    try {
      const chosen = await read();
      if (chosen) onChoose(chosen);
      else toasts.warning(t('import.none'));
    } catch (error) {
      toasts.error(isError(error) ? errorText(error) : t('import.unreadable'));
    }
    setBusy(false);
  }

  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it do the same with the keyboard
    <div
      className={classNames(styles.drop, isOver && styles.over)}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(() => chosenByDrop(event.dataTransfer));
      }}
    >
      <MoveIcon className={styles.icon} aria-hidden="true" />
      <p className={styles.lead}>{t('import.drop')}</p>
      <div className={styles.buttons}>
        <Button kind="primary" busy={busy} onClick={() => files.current?.click()}>
          {t('import.chooseFiles')}
        </Button>
        <Button busy={busy} onClick={() => folder.current?.click()}>
          {t('import.chooseFolder')}
        </Button>
      </div>
      <p className="muted">
        {t('import.kinds')} <HelpLink page="files#import" about={t('import.title')} />
      </p>
      {[
        { field: files, label: t('import.chooseFiles'), more: {} },
        { field: folder, label: t('import.chooseFolder'), more: { webkitdirectory: '' } },
      ].map(({ field, label, more }) => (
        <input
          key={label}
          ref={field}
          type="file"
          multiple
          hidden
          tabIndex={-1}
          aria-label={label}
          {...more}
          onChange={({ target }) => {
            const list = [...(target.files ?? [])];
            // The same files can be chosen again.
            target.value = '';
            if (list.length > 0) void take(() => chosenIn(list));
          }}
        />
      ))}
    </div>
  );
}
