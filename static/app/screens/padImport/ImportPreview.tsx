import { useState } from 'react';
import type { PlannedImport } from '../../../../api/padImport/schema';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { Field } from '../../components/Field';
import { Select } from '../../components/Select';
import { EmptyState, ErrorState, SkeletonRows } from '../../components/States';
import { FolderIcon, PadIcon } from '../../components/screenIcons';
import { useErrorToast } from '../../components/Toasts';
import { useGroups } from '../../data/folders';
import { type ImportChoices, useBeginImport, useImportPreview } from '../../data/padImports';
import { useTranslation } from '../../texts/i18n';
import type { Chosen } from './chosenFiles';
import styles from './Import.module.css';
import { SkippedFiles } from './SkippedFiles';

interface ImportPreviewProps {
  chosen: Chosen;
  /** The folder in which the pads are made; `''`: in new folders. */
  group: string;
  onGroup: (group: string) => void;
  /** Other files are to be chosen. */
  onAgain: () => void;
  onBegun: (id: string) => void;
}

let choicesMade = 0;

/** What would be made of the files. Nothing is made before the person confirms it. */
export function ImportPreview({ chosen, group, onGroup, onAgain, onBegun }: ImportPreviewProps) {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const [folderNames, setFolderNames] = useState(true);
  const [version] = useState(() => {
    choicesMade += 1;
    return choicesMade;
  });
  const choices: ImportChoices = { ...chosen, group: group || undefined, folderNames };
  const { data: plan, error, isFetching, refetch } = useImportPreview(choices, version);
  const begin = useBeginImport();
  const pads = plan?.folders.reduce((sum, folder) => sum + folder.pads.length, 0) ?? 0;

  async function confirm(): Promise<void> {
    try {
      onBegun(await begin.mutateAsync(choices));
    } catch (failure) {
      showError(failure);
    }
  }

  return (
    <>
      <Field label={t('import.where')} id="import-where">
        <Target value={group} disabled={begin.isPending} onChange={onGroup} />
      </Field>
      {group !== '' && (plan?.folders.length ?? 0) > 1 && (
        <Checkbox
          label={t('import.folderNames')}
          checked={folderNames}
          disabled={begin.isPending}
          onChange={({ target }) => setFolderNames(target.checked)}
        />
      )}
      <p role="status" className="muted">
        {isFetching && t('import.reading')}
      </p>
      {error !== null && !isFetching && (
        <ErrorState
          title={t('import.unreadable')}
          error={error}
          onRetry={() => void refetch()}
          action={<Button onClick={onAgain}>{t('import.again')}</Button>}
        />
      )}
      {plan === undefined && isFetching && <SkeletonRows rows={4} />}
      {plan !== undefined && error === null && (
        <>
          {pads === 0 ? (
            <EmptyState icon={<PadIcon />} title={t('import.nothing')} />
          ) : (
            <Planned plan={plan} isNew={group === ''} />
          )}
          <SkippedFiles files={plan.skipped} count={plan.skippedCount} />
          <div className={styles.actions}>
            {pads > 0 && (
              <Button kind="primary" busy={begin.isPending || isFetching} onClick={() => void confirm()}>
                {t('import.title')}
              </Button>
            )}
            <Button disabled={begin.isPending} onClick={onAgain}>
              {t('import.again')}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

interface TargetProps {
  value: string;
  disabled: boolean;
  onChange: (group: string) => void;
}

/** New folders, or a folder in which the person may create pads. */
function Target({ value, disabled, onChange }: TargetProps) {
  const { t, language } = useTranslation();
  const { data } = useGroups();
  const folders = Object.values(data?.groups ?? {})
    .filter(({ abilities }) => abilities.createPad)
    .sort((one, other) => one.name.localeCompare(other.name, language));
  return (
    <Select
      id="import-where"
      value={value}
      disabled={disabled}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: t('import.where.new') },
        ...folders.map(({ _id, name }) => ({ value: _id, label: name })),
      ]}
    />
  );
}

function Planned({ plan: { folders }, isNew }: { plan: PlannedImport; isNew: boolean }) {
  const { t } = useTranslation();
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{t('import.preview')}</h2>
      {isNew && (
        <p className="muted">
          {t('import.onlyYou')}
          {folders.some(({ wasOpen }) => wasOpen !== null) && ` ${t('import.wasOpen')}`}
          {folders.some(({ people }) => people > 0) && ` ${t('import.people')}`}
        </p>
      )}
      {!isNew && <PlannedPads pads={folders.flatMap(({ pads }) => pads)} />}
      {isNew &&
        folders.map(({ name, pads }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two folders may have one name, and the order never changes
          <details key={place} open={folders.length < 4} className={styles.folder}>
            <summary className={styles.summary}>
              <FolderIcon className={styles.small} aria-hidden="true" />
              <bdi className={styles.name}>{name}</bdi>
              <span className="muted">{t('folders.pads', { count: pads.length })}</span>
            </summary>
            <PlannedPads pads={pads} />
          </details>
        ))}
    </section>
  );
}

function PlannedPads({ pads }: { pads: PlannedImport['folders'][number]['pads'] }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.list}>
      {pads.map((pad, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two pads may have one name, and the order never changes
        <li key={number} className={styles.row}>
          <bdi className={styles.name}>{pad.name}</bdi>
          <span className="muted">{t(`import.format.${pad.format}`)}</span>
        </li>
      ))}
    </ul>
  );
}
