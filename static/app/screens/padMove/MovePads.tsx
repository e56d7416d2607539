import { useMemo, useState } from 'react';
import type { Pad } from '../../../../api/answers';
import { Button, LinkButton } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { type Choice, ChoiceList } from '../../components/ChoiceList';
import { Dialog } from '../../components/Dialog';
import { ProgressBar } from '../../components/ProgressBar';
import { SkeletonRows } from '../../components/States';
import { AddFolderIcon, FolderIcon } from '../../components/screenIcons';
import type { BulkResult, Progress } from '../../data/padChanges';
import { bestMatches, wordsOf } from '../../lib/matching';
import { useShown } from '../../lib/useShown';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { Failures } from '../removal/Failures';
import styles from './MovePads.module.css';
import { useFailureToast, useMoving, useTargets } from './moving';

/** Maximum number of folders. Typing finds the others. */
const foldersShown = 50;

export interface MovePadsProps {
  /** The current folder of the pads. */
  from: string;
  /** The pads to move, or to choose from. */
  pads: readonly Pad[];
  /** Asks which of the pads to move. */
  choose?: boolean;
  onClose: () => void;
}

/** The pads that are to be moved, and the move itself. */
function useMove({ from, pads, choose = false, onClose }: MovePadsProps) {
  const move = useMoving(from);
  const fail = useFailureToast();
  const shown = useShown();
  const [known] = useState(pads);
  const [wanted, setWanted] = useState<ReadonlySet<string>>(
    new Set(choose ? [] : pads.map(({ _id }) => _id)),
  );
  const [progress, setProgress] = useState<Progress | null>(null);
  const [failed, setFailed] = useState<BulkResult['failed']>([]);
  const [missing, setMissing] = useState(false);

  async function start(target: Choice): Promise<void> {
    if (progress !== null) return;
    const ids = known.map(({ _id }) => _id).filter((id) => wanted.has(id));
    setMissing(ids.length === 0);
    if (ids.length === 0) return;
    setFailed([]);
    setProgress({ done: 0, total: ids.length });
    const left = await move(ids, target, setProgress);
    if (!shown.current) fail(left);
    setProgress(null);
    setFailed(left);
    setWanted(new Set(left.map(({ id }) => id)));
    if (left.length === 0) onClose();
  }
  return { known, wanted, setWanted, progress, failed, missing, start };
}

/**
 * Moves pads into another folder. Choosing a folder moves them at once; a message has a button that moves them back.
 */
export function MovePads(props: MovePadsProps) {
  const { from, choose = false, onClose } = props;
  const { t } = useTranslation();
  const targets = useTargets(from);
  const { known, wanted, setWanted, progress, failed, missing, start } = useMove(props);
  const [first] = known;
  const title =
    !choose && known.length === 1 && first !== undefined
      ? t('padMove.one', { name: first.name })
      : t('padMove.title');
  return (
    <Dialog title={title} size="medium" onClose={() => progress === null && onClose()}>
      {failed.length > 0 && (
        <Failures
          title={t('padMove.failed', { count: failed.length })}
          failed={failed}
          nameOf={(id) => known.find(({ _id }) => _id === id)?.name ?? id}
        />
      )}
      {choose && <PadChoice pads={known} wanted={wanted} onChange={setWanted} missing={missing} />}
      {targets === undefined && <SkeletonRows rows={4} height={38} />}
      {targets?.length === 0 && <NoTarget />}
      {targets !== undefined && targets.length > 0 && (
        <TargetChoice targets={targets} onChoose={(target) => void start(target)} />
      )}
      {progress !== null && <ProgressBar {...progress} text={t('padMove.progress', { ...progress })} />}
    </Dialog>
  );
}

interface TargetChoiceProps {
  targets: NonNullable<ReturnType<typeof useTargets>>;
  onChoose: (target: Choice) => void;
}

/** A list of folders that is searched by typing. */
function TargetChoice({ targets, onChoose }: TargetChoiceProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const choices = useMemo(
    () =>
      bestMatches(targets, wordsOf(text), foldersShown).map((target) => ({
        ...target,
        icon: <FolderIcon />,
      })),
    [targets, text],
  );
  return (
    <>
      <p className={styles.text}>{t('padMove.text')}</p>
      <ChoiceList
        label={t('padMove.target')}
        placeholder={t('padMove.search')}
        text={text}
        onText={setText}
        sections={[{ choices }]}
        onChoose={onChoose}
        empty={t('palette.nothing', { text })}
      />
    </>
  );
}

function NoTarget() {
  const { t } = useTranslation();
  return (
    <>
      <p>{t('padMove.noTarget.title')}</p>
      <p>{t('padMove.noTarget.text')}</p>
      <div>
        <LinkButton kind="primary" icon={<AddFolderIcon />} href={paths.addFolder}>
          {t('nav.newFolder')}
        </LinkButton>
      </div>
    </>
  );
}

interface PadChoiceProps {
  pads: readonly Pad[];
  wanted: ReadonlySet<string>;
  onChange: (wanted: ReadonlySet<string>) => void;
  /** A folder was chosen, but no pad. */
  missing: boolean;
}

function PadChoice({ pads, wanted, onChange, missing }: PadChoiceProps) {
  const { t } = useTranslation();
  const toggle = (id: string): void => {
    const next = new Set(wanted);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <fieldset>
      <legend className={styles.legend}>{t('folderView.pads')}</legend>
      <div className={styles.all}>
        <Button small onClick={() => onChange(new Set(pads.map(({ _id }) => _id)))}>
          {t('folderView.selectAll')}
        </Button>
        <Button small onClick={() => onChange(new Set())}>
          {t('padMove.selectNone')}
        </Button>
      </div>
      <ul className={styles.list}>
        {pads.map(({ _id: id, name }) => (
          <li key={id} className={styles.row}>
            <Checkbox label={name} checked={wanted.has(id)} onChange={() => toggle(id)} />
          </li>
        ))}
      </ul>
      <p role="alert" className={styles.missing}>
        {missing && wanted.size === 0 && t('padMove.pads.required')}
      </p>
    </fieldset>
  );
}
