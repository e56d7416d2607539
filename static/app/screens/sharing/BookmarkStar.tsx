import { Star } from '../../components/Star';
import { toasts } from '../../components/Toasts';
import { useBookmarks, useToggleBookmark } from '../../data/bookmarks';
import { useErrorText } from '../../errorText';

export interface BookmarkStarProps {
  type: 'groups' | 'pads';
  id: string;
  name: string;
  small?: boolean;
}

/** The bookmark button of a folder or pad. It changes at once, and back with a message if the server refuses. */
export function BookmarkStar({ type, id, name, small }: BookmarkStarProps) {
  const errorText = useErrorText();
  const bookmarks = useBookmarks();
  const toggle = useToggleBookmark();
  return (
    <Star
      name={name}
      small={small}
      on={bookmarks[type].has(id)}
      onToggle={() =>
        toggle.mutate({ type, key: id }, { onError: (error) => toasts.error(errorText(error)) })
      }
    />
  );
}
