import {
  type KeyboardEvent,
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ChoiceList, type ChoiceSection } from '../../components/ChoiceList';
import { useRecentPads } from '../../data/pads';
import { useTranslation } from '../../i18n';
import { navigate, toHref } from '../../location';
import { bestMatches, wordsOf } from '../../matching';
import { paths } from '../../paths';
import type { Target } from '../newPad/useNewPad';
import { type Entries, type Entry, useEntries } from './entries';
import styles from './Palette.module.css';

/** The screens before a search. */
const startScreens = new Set([paths.folders, '/mybookmarks', paths.userLists, paths.account, 'shortcuts']);

/** Maximum number of results, and of pads before a search. */
const resultsShown = 30;
const recentShown = 6;

export interface PaletteProps {
  /** The folder that a new pad gets into; `null` if it needs a first folder. */
  target: Target | null | undefined;
  onClose: () => void;
}

/** What is shown before anything is typed: recently opened pads, actions, and the person's screens. */
function useStart(entries: Entries, target: PaletteProps['target']): ChoiceSection<Entry>[] {
  const { t } = useTranslation();
  const { data: recent = [] } = useRecentPads();
  const ids = new Set(recent.slice(0, recentShown).map(({ _id }) => `pad-${_id}`));
  return [
    { heading: t('nav.recent'), choices: entries.pads.slice(0, recentShown).filter(({ id }) => ids.has(id)) },
    {
      heading: t('palette.actions'),
      choices: entries.creating.filter(
        ({ id }) => id === `new-${target?._id}` || id === 'new-pad' || id === 'new-folder',
      ),
    },
    {
      heading: t('palette.places'),
      choices: entries.screens.filter(({ href, id }) => startScreens.has(href ?? id)),
    },
  ];
}

/** False at first: thousands of pads are prepared for the search when the palette is on the screen. */
function usePrepared(): boolean {
  const [prepared, setPrepared] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setPrepared(true)), 100);
    return () => clearTimeout(timer);
  }, []);
  return prepared;
}

/** The element with the focus, also inside of the editor's frames. */
function focusedElement(document: Document): HTMLElement | null {
  const active = document.activeElement as HTMLIFrameElement | null;
  return active?.contentDocument ? focusedElement(active.contentDocument) : active;
}

/**
 * Shows the element while it is rendered, and gives the focus to its field. The browser gives it back to a button or a
 * link afterwards, but not to the text of the editor.
 */
function useLayer(): RefObject<HTMLDivElement | null> {
  const layer = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = layer.current;
    const before = focusedElement(document);
    element?.showPopover();
    element?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => {
      element?.hidePopover();
      if (before?.ownerDocument === document) return;
      // In its own document it has the focus still, so that `focus` alone would do nothing.
      before?.blur();
      before?.focus();
    };
  }, []);
  return layer;
}

/**
 * Finds folders, pads, settings and actions by typing. A popover over the whole window, because it must open fast: for
 * a modal `<dialog>` the browser computes the styles of all elements of the page again.
 */
export function Palette({ target, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const layer = useLayer();
  const [text, setText] = useState('');
  const words = useMemo(() => wordsOf(text), [text]);
  const prepared = usePrepared();
  const entries = useEntries(target, prepared || words.length > 0);
  const start = useStart(entries, target);
  const { here, pads, folders, creating, lists, screens, administration } = entries;
  const found =
    words.length === 0
      ? []
      : bestMatches(
          [...here, ...pads, ...folders, ...creating, ...lists, ...screens, ...administration],
          words,
          resultsShown,
          (entry) => entry.bonus,
        );

  const choose = ({ href, run }: Entry, elsewhere: boolean): void => {
    if (href !== undefined && elsewhere) {
      window.open(toHref(href), '_blank', 'noopener');
      return;
    }
    onClose();
    if (href !== undefined) navigate(href);
    run?.();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) onClose();
    // The field is all that can have the focus here.
    else if (event.key !== 'Tab') return;
    event.preventDefault();
  };

  return (
    <div
      ref={layer}
      popover="auto"
      role="dialog"
      aria-modal="true"
      aria-label={t('palette.label')}
      className={styles.layer}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
      onKeyDown={onKeyDown}
      onMouseDown={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div className={styles.palette}>
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
      </div>
    </div>
  );
}
