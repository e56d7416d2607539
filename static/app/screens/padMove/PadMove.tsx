import { useMemo, useState } from 'react';
import type { Pad } from '../../../../api/wire';
import { Button, LinkButton } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { Field } from '../../components/Field';
import { ErrorSummary, FormActions } from '../../components/Form';
import { AddFolderIcon, MoveIcon, PadIcon } from '../../components/icons';
import { Select } from '../../components/Select';
import { EmptyState, SkeletonRows } from '../../components/States';
import { toasts } from '../../components/Toasts';
import { type BulkResult, type Progress, useMovePads } from '../../data/mutations';
import { useGroups } from '../../data/queries';
import { useTranslation } from '../../i18n';
import { navigate, useQueryParams } from '../../location';
import { places } from '../../places';
import type { OpenFolder } from '../folderView/FolderScreen';
import { FolderScreen } from '../folderView/FolderScreen';
import { sortPads } from '../folderView/padListing';
import { Failures, ProgressLine } from '../removal/Failures';
import styles from './PadMove.module.css';

/** Moves pads of a folder into another one that the person administers. */
export function PadMove({ group: id }: { group: string }) {
  const { t } = useTranslation();
  return (
    <FolderScreen
      id={id}
      title={t('padMove.title')}
      needs={(group) => group.abilities.edit}
      intro={({ group }) => t('padMove.text', { name: group.name })}
    >
      {(folder) => <Choice folder={folder} />}
    </FolderScreen>
  );
}

/** The folders that may receive pads, as choices. */
function useTargets(from: string): { value: string; label: string }[] | undefined {
  const { language } = useTranslation();
  const { data } = useGroups();
  return useMemo(() => {
    if (data === undefined) return undefined;
    return Object.values(data.groups)
      .filter((group) => group._id !== from && group.abilities.edit)
      .map((group) => ({ value: group._id, label: group.name }))
      .sort((left, right) => left.label.localeCompare(right.label, language));
  }, [data, from, language]);
}

function Choice({ folder }: { folder: OpenFolder }) {
  const { t } = useTranslation();
  const targets = useTargets(folder.id);
  if (targets === undefined) return <SkeletonRows rows={4} />;
  if (targets.length === 0) {
    return (
      <EmptyState
        icon={<MoveIcon />}
        title={t('padMove.noTarget.title')}
        action={
          <LinkButton kind="primary" icon={<AddFolderIcon />} href={places.addFolder}>
            {t('folderForm.add.title')}
          </LinkButton>
        }
      >
        {t('padMove.noTarget.text')}
      </EmptyState>
    );
  }
  if (Object.keys(folder.pads).length === 0) {
    return (
      <EmptyState
        icon={<PadIcon />}
        title={t('padMove.empty.title')}
        action={<LinkButton href={places.folder(folder.id)}>{t('access.toFolder')}</LinkButton>}
      />
    );
  }
  return <MoveForm folder={folder} targets={targets} />;
}

interface MoveFormProps {
  folder: OpenFolder;
  targets: { value: string; label: string }[];
}

const ids = { target: 'move-target', pads: 'move-pads' };

function MoveForm({ folder, targets }: MoveFormProps) {
  const { t, language } = useTranslation();
  const [parameters] = useQueryParams();
  const [before] = useState(folder.pads);
  const pads = useMemo(
    () => sortPads(Object.values(folder.pads), { by: 'name', ascending: true }, language),
    [folder.pads, language],
  );
  const [target, setTarget] = useState('');
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set(parameters.getAll('pads')));
  const [progress, setProgress] = useState<Progress | null>(null);
  const [failed, setFailed] = useState<BulkResult['failed']>([]);
  const [tries, setTries] = useState(0);
  const [checked, setChecked] = useState(false);
  const move = useMovePads(folder.id);
  const chosen = pads.filter((pad) => wanted.has(pad._id));
  const targetName = targets.find(({ value }) => value === target)?.label ?? '';

  const errors = [
    ...(target === '' ? [{ id: ids.target, text: t('padMove.target.required') }] : []),
    ...(chosen.length === 0 ? [{ id: ids.pads, text: t('padMove.pads.required') }] : []),
  ];
  const shownErrors = checked ? errors : [];

  const submit = async (): Promise<void> => {
    if (progress !== null) return;
    setChecked(errors.length > 0);
    if (errors.length > 0) return setTries(tries + 1);
    setFailed([]);
    const result = await move.mutateAsync({ ids: chosen.map((pad) => pad._id), target, report: setProgress });
    setProgress(null);
    if (result.done.length > 0) {
      toasts.success(t('padMove.done', { count: result.done.length, name: targetName }));
    }
    setFailed(result.failed);
    if (result.failed.length === 0) navigate(places.folder(target), { replace: true });
  };

  const toggle = (pad: Pad): void => {
    const next = new Set(wanted);
    if (!next.delete(pad._id)) next.add(pad._id);
    setWanted(next);
  };

  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <ErrorSummary errors={shownErrors} failure={null} failures={tries} />
      {failed.length > 0 && (
        <Failures
          title={t('padMove.failed', { count: failed.length })}
          failed={failed}
          nameOf={(id) => before[id]?.name ?? id}
        />
      )}
      <Field
        id={ids.target}
        label={t('padMove.target')}
        error={shownErrors.find(({ id }) => id === ids.target)?.text}
      >
        <Select
          value={target}
          onChange={(event) => setTarget(event.target.value)}
          options={[{ value: '', label: t('padMove.target.choose'), disabled: true }, ...targets]}
        />
      </Field>
      <fieldset id={ids.pads} tabIndex={-1} className={styles.pads}>
        <legend className={styles.legend}>{t('padMove.pads')}</legend>
        <div className={styles.all}>
          <Button small onClick={() => setWanted(new Set(pads.map((pad) => pad._id)))}>
            {t('padMove.selectAll')}
          </Button>
          <Button small onClick={() => setWanted(new Set())}>
            {t('padMove.selectNone')}
          </Button>
        </div>
        <ul className={styles.list}>
          {pads.map((pad) => (
            <li key={pad._id} className={styles.row}>
              <Checkbox label={pad.name} checked={wanted.has(pad._id)} onChange={() => toggle(pad)} />
            </li>
          ))}
        </ul>
      </fieldset>
      {progress !== null && (
        <ProgressLine
          progress={progress}
          text={t('padMove.progress', { done: progress.done, total: progress.total })}
        />
      )}
      <FormActions>
        <Button kind="primary" type="submit" busy={progress !== null}>
          {chosen.length === 0 ? t('padMove.submit') : t('padMove.submit.count', { count: chosen.length })}
        </Button>
        <LinkButton href={places.folder(folder.id)}>{t('action.cancel')}</LinkButton>
      </FormActions>
    </form>
  );
}
