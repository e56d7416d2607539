import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { OwnUser } from '../../../api/answers';
import { IconButton } from '../components/Button';
import { FoldIcon } from '../components/screenIcons';
import { useSettings } from '../data/configuration';
import { rememberFoldedSidebar, wantsFoldedSidebar } from '../data/preferences';
import { paths } from '../navigation/paths';
import { loadForms } from '../screens/laterForms';
import { useDraggedPads } from '../screens/padMove/dragging';
import { useTranslation } from '../texts/i18n';
import { Rail } from './Rail';
import { Shortcuts } from './Shortcuts';
import { Sidebar } from './Sidebar';
import { SideFrame } from './SideFrame';

/** Milliseconds until the forms are loaded, so that they do not delay the first screen. */
const formsDelay = 1_000;

/**
 * The layout for a signed-in person: a sidebar that can be folded away, or on a phone a bar with a button that opens
 * it.
 */
export function PersonFrame({ user, children }: { user: OwnUser; children: ReactNode }) {
  const { t } = useTranslation();
  const { title } = useSettings();
  const [folded, setFolded] = useState(wantsFoldedSidebar);
  const dragged = useDraggedPads();
  const side = useRef<HTMLElement>(null);
  const shown = useRef(folded);
  useEffect(() => {
    if (shown.current === folded) return;
    shown.current = folded;
    // Moves the focus, because the button that was pressed has disappeared.
    side.current?.querySelector<HTMLElement>('[data-fold]')?.focus();
  }, [folded]);
  useEffect(() => {
    // If that fails, opening a form tries again.
    const timer = setTimeout(() => void loadForms().catch(() => undefined), formsDelay);
    return () => clearTimeout(timer);
  }, []);
  const fold = (next: boolean): void => {
    setFolded(next);
    rememberFoldedSidebar(next);
  };
  const foldButton = (
    <IconButton small data-fold label={t('nav.fold')} icon={<FoldIcon />} onClick={() => fold(true)} />
  );
  return (
    <>
      <SideFrame
        title={title}
        home={paths.folders}
        ref={side}
        folded={folded && dragged === null && <Rail user={user} onUnfold={() => fold(false)} />}
        sidebar={(onLeave) => (
          <Sidebar user={user} onLeave={onLeave} tools={onLeave === undefined && foldButton} />
        )}
      >
        {children}
      </SideFrame>
      <Shortcuts user={user} />
    </>
  );
}
