import { Star, type StarProps } from '../../components/Star';
import { useErrorToast } from '../../components/Toasts';
import { useBookmarks, useToggleBookmark } from '../../data/bookmarks';

/** A bookmark. It changes at once, and back with a message if the server refuses. */
export function useBookmark(type: 'groups' | 'pads', id: string) {
  const showError = useErrorToast();
  const { mutateAsync } = useToggleBookmark();
  return {
    on: useBookmarks()[type].has(id),
    // The screen may be left before the answer: `mutate` would not call back then.
    onToggle: () => void mutateAsync({ type, key: id }).catch(showError),
  };
}

/** The bookmark button of a folder or pad. */
export function BookmarkStar(props: Omit<StarProps, 'on' | 'onToggle'>) {
  return <Star {...props} {...useBookmark(props.type, props.id)} />;
}
