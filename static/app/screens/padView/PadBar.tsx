import { type RefObject, useCallback, useState, useSyncExternalStore } from 'react';
import type { Pad } from '../../../../api/answers';
import { Button, IconButton, IconLink } from '../../components/Button';
import buttonStyles from '../../components/Button.module.css';
import { Chip } from '../../components/Chip';
import { classNames } from '../../components/classNames';
import { BackIcon } from '../../components/icons';
import { useHeadingFocus } from '../../components/pageTitle';
import { ExpandViewIcon, NewTabIcon, ReadonlyIcon } from '../../components/screenIcons';
import { toasts } from '../../components/Toasts';
import { useSettings, useUser } from '../../data/configuration';
import { Link, navigate, pathOf, useLocation } from '../../navigation/location';
import { folderOf, paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { AskDialog, useMayAsk } from '../access/AskForAccess';
import type { OpenFolder } from '../folders/FolderScreen';
import { MovePads } from '../folders/laterDialogs';
import { RemoveChatHistory, RemovePad } from '../removal/RemovePad';
import { BookmarkStar } from '../sharing/BookmarkStar';
import { ShareButton } from '../sharing/ShareButton';
import { SharePad } from '../sharing/ShareDialog';
import { editorAddress } from './editorAddress';
import { PadMenu, type PadQuestion } from './PadMenu';
import { PadPeople, PeopleInPad } from './PadPeople';
import { PadSiblings, useSiblings } from './PadSiblings';
import { PadTitle } from './PadTitle';
import styles from './PadView.module.css';

/* As in PadView.module.css. */
const narrow = matchMedia('(width < 65.625rem)');
const tiny = matchMedia('(width < 30rem)');

/** Whether the window is as narrow as `query` says. */
function useWidth(query: MediaQueryList): boolean {
  const watch = useCallback(
    (listener: () => void) => {
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(watch, () => query.matches);
}

export interface PadBarProps {
  pad: Pad;
  folderName: string | undefined;
  /** The folder, if the person may see its content. */
  folder: OpenFolder | undefined;
  /** Only the heading is rendered, for screen readers. */
  hidden: boolean;
  /** Missing if there is no editor to expand. */
  onExpand: (() => void) | undefined;
  expandButton: RefObject<HTMLButtonElement | null>;
  onNewTab: () => void;
}

/**
 * The bar above the editor. If it is narrow, the menu contains all actions except the star and Share. On a phone it
 * contains the star too; the button of the star is only hidden then, so that its key still works.
 */
export function PadBar({ pad, folderName, folder, hidden, onExpand, expandButton, onNewTab }: PadBarProps) {
  const { t } = useTranslation();
  const heading = useHeadingFocus();
  const isNarrow = useWidth(narrow);
  const isTiny = useWidth(tiny);
  const [question, setQuestion] = useState<PadQuestion | null>(null);
  const [renaming, setRenaming] = useState(false);
  const siblings = useSiblings(pad);
  const mayAsk = useMayAsk();
  const { abilities } = pad;
  if (hidden) {
    return (
      <h1 ref={heading} tabIndex={-1} className="visually-hidden">
        {pad.name}
      </h1>
    );
  }
  return (
    <header className={styles.bar}>
      <BackLink pad={pad} folderName={folderName} />
      <Names
        pad={pad}
        folderName={folderName}
        siblings={siblings}
        narrow={isNarrow}
        renaming={renaming}
        onRename={setRenaming}
      />
      {!(isNarrow && folderName !== undefined) && <ReadonlyMark pad={pad} narrow={isNarrow} />}
      {!isNarrow && abilities.askToWrite && mayAsk && (
        <Button small kind="quiet" onClick={() => setQuestion('ask')}>
          {t('requests.askToWrite')}
        </Button>
      )}
      <PadPeople id={pad._id} onOpen={() => setQuestion('people')} />
      <div className={styles.tools}>
        {abilities.bookmark && <BookmarkStar type="pads" id={pad._id} name={pad.name} />}
        <ShareButton
          group={folder?.group}
          people={folder?.people}
          visibility={pad.effective.visibility}
          onClick={() => setQuestion('share')}
        />
        {!isNarrow && <NewTabLink pad={pad} onClick={onNewTab} />}
        <PadMenu
          pad={pad}
          siblings={siblings}
          narrow={isNarrow}
          tiny={isTiny}
          onExpand={onExpand}
          ask={setQuestion}
          onRename={() => setRenaming(true)}
          onOpenTab={() => {
            window.open(editorAddress(pad._id), '_blank', 'noopener');
            onNewTab();
          }}
        />
        {onExpand !== undefined && (
          <IconButton
            ref={expandButton}
            data-expand
            label={t('padView.expand')}
            icon={<ExpandViewIcon />}
            onClick={onExpand}
          />
        )}
      </div>
      {question !== null && <Question question={question} pad={pad} onClose={() => setQuestion(null)} />}
    </header>
  );
}

/** Back to the folder. Guests of a single pad have nothing to go back to. */
function BackLink({ pad, folderName }: Pick<PadBarProps, 'pad' | 'folderName'>) {
  const { t } = useTranslation();
  const user = useUser();
  if (folderName === undefined && user === undefined) return null;
  const where = folderName ?? t('folders.title');
  const href = folderName === undefined ? paths.folders : paths.folder(folderOf(pad));
  return <IconLink href={href} label={t('page.back', { where })} icon={<BackIcon />} />;
}

interface NamesProps {
  pad: Pad;
  folderName: string | undefined;
  siblings: ReturnType<typeof useSiblings>;
  narrow: boolean;
  renaming: boolean;
  onRename: (renaming: boolean) => void;
}

/** The names of the folder and the pad, and the way to the other pads of the folder. */
function Names({ pad, folderName, siblings, narrow, renaming, onRename }: NamesProps) {
  return (
    <div className={styles.names}>
      {folderName !== undefined && (
        <p className={styles.folder}>
          <Link href={paths.folder(folderOf(pad))} className={styles.folderLink}>
            {folderName}
          </Link>
          {!narrow && (
            <span aria-hidden="true" className={styles.slash}>
              /
            </span>
          )}
          {narrow && <ReadonlyMark pad={pad} narrow />}
        </p>
      )}
      <PadTitle pad={pad} renaming={renaming} onRename={onRename} />
      {!narrow && siblings !== undefined && <PadSiblings pad={pad} siblings={siblings} />}
    </div>
  );
}

/** Says that the pad can only be read. In a narrow bar beside the folder, so that the name has more room. */
function ReadonlyMark({ pad, narrow }: { pad: Pad; narrow: boolean }) {
  const { t } = useTranslation();
  const signedInOnly = useSettings().allPadsPublicsAuthentifiedOnly;
  const readsOnly = pad.abilities.enter === 'read' && !pad.effective.readonly;
  if (!readsOnly && (signedInOnly || !pad.effective.readonly)) return null;
  const own = pad._id.startsWith('r.') ? 'padView.readonly.link' : 'padView.readonly.reader';
  return (
    <Chip icon={<ReadonlyIcon />} title={t(readsOnly ? own : 'padView.readonly.help')}>
      <span className={narrow ? 'visually-hidden' : undefined}>{t('padView.readonly')}</span>
    </Chip>
  );
}

/** Opens the editor alone in a new tab. */
function NewTabLink({ pad, onClick }: { pad: Pad; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <a
      href={editorAddress(pad._id)}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('padActions.newTab')}
      title={t('padActions.newTab')}
      className={classNames(buttonStyles.button, buttonStyles.quiet, buttonStyles.square)}
      onClick={onClick}
    >
      <NewTabIcon />
    </a>
  );
}

interface QuestionProps {
  question: PadQuestion;
  pad: Pad;
  onClose: () => void;
}

/** The dialog that the menu or a button asked for. */
function Question({ question, pad, onClose }: QuestionProps) {
  const { t } = useTranslation();
  const [here] = useLocation();
  switch (question) {
    case 'share':
      return <SharePad pad={pad} onClose={onClose} />;
    case 'ask':
      return (
        <AskDialog
          asked={{ what: 'pad', id: pad._id }}
          title={t('requests.askToWrite')}
          onClose={onClose}
          onSent={() => {
            onClose();
            toasts.success(t('requests.sentToWrite'));
          }}
        />
      );
    case 'people':
      return <PeopleInPad id={pad._id} onClose={onClose} />;
    case 'move':
      return <MovePads from={folderOf(pad)} pads={[pad]} onClose={onClose} />;
    case 'removeChatHistory':
      return <RemoveChatHistory pad={pad} onClose={onClose} />;
    case 'remove': {
      const leave = (): void => {
        // Back may have left the screen meanwhile.
        if (here === pathOf(location.search)) navigate(paths.folder(folderOf(pad)), { replace: true });
      };
      return <RemovePad pad={pad} onClose={onClose} onDone={leave} />;
    }
  }
}
