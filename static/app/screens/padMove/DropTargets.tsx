import { useState } from 'react';
import { classNames } from '../../components/classNames';
import { FolderIcon } from '../../components/screenIcons';
import { useBookmarks } from '../../data/bookmarks';
import sidebar from '../../shell/Sidebar.module.css';
import { useTranslation } from '../../texts/i18n';
import { type DraggedPads, endDrag } from './dragging';
import styles from './MovePads.module.css';
import { useFailureToast, useMoving, useTargets } from './moving';

/** Maximum number of folders. The dialog that moves pads finds the others. */
const targetsShown = 100;

/** The folders that pads can be dragged to, bookmarked ones first. Only for the mouse; everybody can use the dialog. */
export function DropTargets({ dragged }: { dragged: DraggedPads }) {
  const { t } = useTranslation();
  const fail = useFailureToast();
  const targets = useTargets(dragged.from) ?? [];
  const { groups: marked } = useBookmarks();
  const move = useMoving(dragged.from);
  const [over, setOver] = useState<string | null>(null);
  const shown = [
    ...targets.filter(({ id }) => marked.has(id)),
    ...targets.filter(({ id }) => !marked.has(id)),
  ].slice(0, targetsShown);
  return (
    <div className={styles.targets}>
      <h2 className={sidebar.heading}>{t('padMove.target')}</h2>
      {shown.length === 0 && <p className={sidebar.heading}>{t('padMove.noTarget.title')}</p>}
      <ul>
        {shown.map((target) => (
          <li key={target.id}>
            <button
              type="button"
              title={target.label}
              className={classNames(styles.target, over === target.id && styles.over)}
              onDragOver={(event) => {
                event.preventDefault();
                event.dataTransfer.dropEffect = 'move';
                setOver(target.id);
              }}
              onDragLeave={() => setOver((now) => (now === target.id ? null : now))}
              onDrop={(event) => {
                event.preventDefault();
                void move(dragged.ids, target, () => {}).then(fail);
                endDrag();
              }}
            >
              <FolderIcon />
              <span className={sidebar.label}>{target.label}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
