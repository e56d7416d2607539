import { useEffect } from 'react';
import type { ExportAnswer } from '../../../../api/export/schema';
import { dateFormatter } from '../../../../model/dateFormat';
import { Button } from '../../components/Button';
import { Failure } from '../../components/Failure';
import { ProgressBar } from '../../components/ProgressBar';
import { toasts, useErrorToast } from '../../components/Toasts';
import { type ExportCaller, exportShown, useDownload, useRemoveExport } from '../../data/exports';
import { useErrorText } from '../../texts/errorText';
import { type Translate, useTranslation } from '../../texts/i18n';
import styles from './Exports.module.css';

/** What an export is of, in words. */
export const nameOfExport = ({ name }: ExportAnswer, t: Translate): string => name ?? t('exports.of.pads');

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size in words, for example “1.2 MB”. */
function sizeText(bytes: number, language: string): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step > 1 ? 1 : 0,
  });
  return format.format(bytes / 1000 ** step);
}

interface StateProps {
  value: ExportAnswer;
  caller: ExportCaller;
  /** It was deleted. */
  onGone: () => void;
}

/** How far an export is. When it is ready: its size, until when it can be downloaded, and what was left out. */
export function ExportState({ value }: Pick<StateProps, 'value'>) {
  const { t, language } = useTranslation();
  const errorText = useErrorText();
  const { _id: id, state, done, total, size = 0, pads = 0, leftOut = 0, until, error } = value;
  useEffect(() => exportShown(id), [id]);
  if (state === 'failed') {
    return (
      <Failure>
        <p role="alert">{errorText({ key: error })}</p>
      </Failure>
    );
  }
  const text = total === undefined ? t('exports.working') : t('exports.progress', { done: done ?? 0, total });
  const time = dateFormatter(language, { dateStyle: 'medium', timeStyle: 'short' })(until);
  const facts = [
    t('folders.pads', { count: pads }),
    sizeText(size, language),
    t('trash.until', { date: time }),
  ];
  return (
    <div>
      {state === 'working' && (
        <ProgressBar className="muted" text={text} done={done ?? 0} total={Math.max(1, total ?? 1)} />
      )}
      <div role="status">
        {state === 'ready' && <p className="muted">{facts.join(' · ')}</p>}
        {state === 'ready' && leftOut > 0 && (
          <p className="muted">{t('exports.leftOut', { number: leftOut })}</p>
        )}
      </div>
    </div>
  );
}

/** The buttons of an export: cancel while it is being made, then download and delete. */
export function ExportButtons({ value, caller, onGone }: StateProps) {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const download = useDownload(caller);
  const remove = useRemoveExport(caller);
  const name = nameOfExport(value, t);
  const labelOf = (action: string) => t('text.detail', { text: action, detail: name });
  const isWorking = value.state === 'working';
  const end = t(isWorking ? 'action.cancel' : 'folders.remove');
  return (
    <div className={styles.buttons}>
      {value.state === 'ready' && (
        <Button
          small
          kind="primary"
          busy={download.isPending}
          aria-label={labelOf(t('exports.download'))}
          onClick={() => download.mutateAsync({ id: value._id, name }).catch(showError)}
        >
          {t('exports.download')}
        </Button>
      )}
      <Button
        small
        kind={isWorking ? 'secondary' : 'quiet'}
        busy={remove.isPending}
        aria-label={labelOf(end)}
        onClick={() =>
          remove
            .mutateAsync(value._id, {
              onSuccess: () => {
                onGone();
                toasts.success(t(isWorking ? 'exports.cancelled' : 'exports.deleted'));
              },
            })
            .catch(showError)
        }
      >
        {end}
      </Button>
    </div>
  );
}
