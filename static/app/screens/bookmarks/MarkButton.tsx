import { Button } from '../../components/Button';
import { StarIcon } from '../../components/screenIcons';
import { useBookmarks } from '../../data/bookmarks';
import type { Marking } from '../../data/bulk';
import { useTranslation } from '../../texts/i18n';
import { useMarking } from './useMarking';

/** For the selected folders or pads: sets their bookmarks, or removes them if all have one. */
export function MarkButton({ type, ids }: Pick<Marking, 'type' | 'ids'>) {
  const { t } = useTranslation();
  const bookmarks = useBookmarks();
  const mark = useMarking();
  const marked = ids.every((id) => bookmarks[type].has(id));
  return (
    <Button small icon={<StarIcon />} onClick={() => mark({ type, ids, marked: !marked })}>
      {marked ? t('star.many.remove') : t('star.many.add')}
    </Button>
  );
}
