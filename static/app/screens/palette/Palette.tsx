import {
  type ComponentType,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { IconButton } from '../../components/Button';
import { ChoiceList, type ChoiceSection } from '../../components/ChoiceList';
import { classNames } from '../../components/classNames';
import { CloseIcon } from '../../components/icons';
import { focusAgain, focusedElement } from '../../lib/focusedElement';
import { ignoreSecondPress } from '../../lib/secondPress';
import { useLatest } from '../../lib/useLatest';
import { navigate, toHref } from '../../navigation/location';
import { typedAhead } from '../../shell/overlay';
import { useTranslation } from '../../texts/i18n';
import type { Target } from '../newPad/useNewPad';
import type { Entry } from './entries';
import styles from './Palette.module.css';

/** What is shown below the field, found for `text`. `empty`: instead of results, if there are none. */
export interface Found {
  text: string;
  sections: readonly ChoiceSection<Entry>[];
  empty: string;
}

export interface ResultsProps {
  /** The folder that a new pad gets into; `null` if it needs a first folder. */
  target: Target | null | undefined;
  text: string;
  /** Called before the change is painted, and before the next key. */
  onFound: (found: Found) => void;
}

export interface PaletteProps extends Pick<ResultsProps, 'target'> {
  /** Finds what the text says; missing while it is loading. */
  Results: ComponentType<ResultsProps> | undefined;
  onClose: () => void;
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
    ignoreSecondPress();
    element?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => {
      element?.hidePopover();
      ignoreSecondPress();
      if (before?.ownerDocument !== document) focusAgain(before);
    };
  }, []);
  return layer;
}

/** Enter that was pressed before anything was found for the text: the first result opens when it is there. */
function useEarlyEnter(
  text: string,
  first: Entry | undefined,
  choose: (entry: Entry, elsewhere: boolean) => void,
) {
  const [entered, setEntered] = useState<{ elsewhere: boolean } | undefined>(() =>
    typedAhead().entered ? { elsewhere: false } : undefined,
  );
  const latest = useLatest({ text, first });
  useEffect(() => {
    if (entered === undefined || first === undefined) return;
    setEntered(undefined);
    choose(first, entered.elsewhere);
  });
  return {
    onEnter(elsewhere: boolean): void {
      if (latest.current.text !== '' && latest.current.first === undefined) setEntered({ elsewhere });
    },
    forget: () => setEntered(undefined),
  };
}

/**
 * Finds folders, pads, settings and actions by typing. Its field is not loaded later, because letters would be
 * shortcuts until it has the focus; what it finds is. A popover over the whole window, because it must open fast: for a
 * modal `<dialog>` the browser computes the styles of all elements of the page again.
 */
export function Palette({ target, Results, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const layer = useLayer();
  const [text, setText] = useState(() => typedAhead().text);
  const [found, setFound] = useState<Found>();
  const first = found?.text === text ? found.sections.flatMap(({ choices }) => choices)[0] : undefined;

  const choose = ({ href, run }: Entry, elsewhere: boolean): void => {
    // Not what an earlier text has found.
    if (found?.text !== text) return;
    if (href !== undefined && elsewhere) {
      window.open(toHref(href), '_blank', 'noopener');
      return;
    }
    onClose();
    if (href !== undefined) navigate(href);
    run?.();
  };

  const early = useEarlyEnter(text, first, choose);
  const onText = (next: string): void => {
    setText(next);
    early.forget();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') early.onEnter(event.ctrlKey || event.metaKey);
    if (event.key === 'Escape') onClose();
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
      <div className={classNames(styles.palette, found === undefined && styles.loading)}>
        <ChoiceList
          flush
          label={t('palette.label')}
          placeholder={t('palette.placeholder')}
          text={text}
          onText={onText}
          sections={found?.sections ?? []}
          onChoose={choose}
          empty={found?.empty ?? t('state.loading')}
        />
        <IconButton
          label={t('action.close')}
          icon={<CloseIcon />}
          className={styles.close}
          onClick={onClose}
        />
        {Results !== undefined && <Results target={target} text={text} onFound={setFound} />}
      </div>
    </div>
  );
}
