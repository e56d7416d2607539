import { Star, type StarProps } from '../../components/Star';
import { useErrorToast } from '../../components/Toasts';
import { useBookmarks, useToggleBookmark } from '../../data/bookmarks';

/** A bookmark. It changes at once, and back with a message if the server refuses. */
export function useBookmark(type: 'groups' | 'pads', id: string) {
  const showError = useErrorToast();
  const { mutate } = useToggleBookmark();
  return {
    on: useBookmarks()[type].has(id),
    onToggle: () => mutate({ type, key: id }, { onError: showError }),
  };
}

/** The bookmark button of a folder or pad. */
export function BookmarkStar(props: Omit<StarProps, 'on' | 'onToggle'>) {
  return <Star {...props} {...useBookmark(props.type, props.id)} />;
}
