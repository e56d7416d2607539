import type { ReactNode } from 'react';
import type { PadSummary, Person } from '../../../../api/answers';
import { VisibilityChip } from '../../components/Chip';
import type { MenuAction } from '../../components/Menu';
import { RelativeTime } from '../../components/RelativeTime';
import { Row } from '../../components/Rows';
import { useSettings } from '../../data/configuration';
import type { ListedFolder } from '../../data/folders';
import { folderOf, paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { padColumns } from '../folders/FolderRow';
import styles from '../folders/Folders.module.css';
import { editorOf, LastEditor } from '../people/LastEditor';
import { PadQuickMenu } from './PadQuickMenu';

interface PadLineProps {
  pad: PadSummary;
  group: ListedFolder | undefined;
  people: Readonly<Record<string, Person>>;
  star: ReactNode;
  onShare: (id: string) => void;
  /** Another action of the menu. */
  more?: MenuAction;
}

/** A pad in a list outside of its folder. */
export function PadLine({ pad, group, people, star, onShare, more }: PadLineProps) {
  const { t } = useTranslation();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  return (
    <Row
      href={paths.pad(folderOf(pad), pad._id)}
      name={pad.name}
      star={star}
      cells={[
        {
          ...padColumns.visibility,
          content: !signedInOnly && <VisibilityChip visibility={pad.visibility} />,
        },
        { ...padColumns.folder, content: group && t('bookmarks.in', { name: group.name }) },
        {
          ...padColumns.time,
          content: (
            <>
              <RelativeTime time={pad.lastUpdate ?? pad.ctime} />
              <div className={styles.editor}>
                <LastEditor editor={editorOf(pad, people)} />
              </div>
            </>
          ),
        },
      ]}
      menu={<PadQuickMenu pad={pad} onShare={onShare} more={more} />}
    />
  );
}
