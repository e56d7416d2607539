import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { ChoiceList, type ChoiceSection } from '../../components/ChoiceList';
import { useRecentPads } from '../../data/pads';
import { useTranslation } from '../../i18n';
import { navigate, toHref } from '../../location';
import { bestMatches, wordsOf } from '../../matching';
import type { Target } from '../newPad/useNewPad';
import { type Entries, type Entry, useEntries } from './entries';
import styles from './Palette.module.css';

/** Maximum number of results, and of pads before a search. */
const resultsShown = 30;
const recentShown = 6;

export interface PaletteProps {
  /** The folder that a new pad gets into. */
  target: Target | undefined;
  onClose: () => void;
}

/** What is shown before anything is typed: recently opened pads and folders, and actions. */
function useStart(entries: Entries, target: Target | undefined): ChoiceSection<Entry>[] {
  const { t } = useTranslation();
  const { data: recent = [] } = useRecentPads();
  const ids = new Set(recent.slice(0, recentShown).map(({ _id }) => `pad-${_id}`));
  return [
    { heading: t('nav.recent'), choices: entries.pads.slice(0, recentShown).filter(({ id }) => ids.has(id)) },
    {
      heading: t('palette.actions'),
      choices: entries.creating.filter(({ id }) => id === `new-${target?._id}` || id === 'new-folder'),
    },
    {
      heading: t('palette.places'),
      choices: entries.screens.filter(({ href, id }) => href ?? id === 'shortcuts'),
    },
  ];
}

/** Finds folders, pads, settings and actions by typing. */
export function Palette({ target, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const entries = useEntries();
  const start = useStart(entries, target);
  const { pads, folders, creating, lists, screens } = entries;
  const words = useMemo(() => wordsOf(text), [text]);
  const found =
    words.length === 0
      ? []
      : bestMatches(
          [...pads, ...folders, ...creating, ...lists, ...screens],
          words,
          resultsShown,
          (entry) => entry.bonus,
        );

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => element?.close();
  }, []);

  const choose = ({ href, run }: Entry, elsewhere: boolean): void => {
    if (href !== undefined && elsewhere) {
      window.open(toHref(href), '_blank', 'noopener');
      return;
    }
    onClose();
    if (href !== undefined) navigate(href);
    run?.();
  };

  return (
    <dialog
      ref={dialog}
      aria-label={t('palette.label')}
      className={styles.palette}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <ChoiceList
        flush
        label={t('palette.label')}
        placeholder={t('palette.placeholder')}
        text={text}
        onText={setText}
        sections={words.length === 0 ? start : [{ choices: found }]}
        onChoose={choose}
        empty={t('palette.nothing', { text })}
      />
    </dialog>
  );
}
