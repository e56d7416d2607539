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
        { key: 'folder', width: '12rem', content: group && t('bookmarks.in', { name: group.name }) },
        {
          key: 'visibility',
          width: '8.25rem',
          chip: true,
          wideOnly: true,
          content: !signedInOnly && <VisibilityChip visibility={pad.visibility} />,
        },
        {
          key: 'editor',
          width: '9rem',
          wideOnly: true,
          content: <LastEditor editor={editorOf(pad, people)} />,
        },
        { key: 'time', width: '8.25rem', content: <RelativeTime time={pad.lastUpdate ?? pad.ctime} /> },
      ]}
      menu={<PadQuickMenu pad={pad} onShare={onShare} more={more} />}
    />
  );
}
