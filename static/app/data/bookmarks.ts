/** The person's bookmarks. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Mark } from '../../../api/bookmark/schema';
import type { ConfigurationAnswer } from '../../../api/configuration/schema';
import { keepResult } from '../lib/keepResult';
import { ApiError, call } from './client';
import { changeConfiguration, useUser } from './configuration';
import { keys } from './keys';

/** Ids of the bookmarked folders and pads. */
export interface Bookmarks {
  groups: ReadonlySet<string>;
  pads: ReadonlySet<string>;
}

const nothing: readonly string[] = [];

const bookmarksOf = keepResult(
  (groups: readonly string[], pads: readonly string[]): Bookmarks => ({
    groups: new Set(groups),
    pads: new Set(pads),
  }),
);

/** The bookmarks as the stars show them, including clicks that are not sent yet. */
export function useBookmarks(): Bookmarks {
  const { groups = nothing, pads = nothing } = useUser()?.bookmarks ?? {};
  return bookmarksOf(groups, pads);
}

function toggled(answer: ConfigurationAnswer, { type, key }: Mark): ConfigurationAnswer {
  if (answer.user === undefined) return answer;
  const marked = answer.user.bookmarks[type];
  const next = marked.includes(key) ? marked.filter((one) => one !== key) : [...marked, key];
  return { ...answer, user: { ...answer.user, bookmarks: { ...answer.user.bookmarks, [type]: next } } };
}

/**
 * Sets or removes a bookmark. Shown at once, and undone if the server refuses. Clicks are sent one after another, and
 * say what is shown: another window may have changed the bookmark.
 */
export function useToggleBookmark() {
  const client = useQueryClient();
  const toggle = (bookmark: Mark): void => changeConfiguration(client, (known) => toggled(known, bookmark));
  return useMutation({
    scope: { id: 'bookmarks' },
    mutationFn: async ({ type, key }: Mark): Promise<void> => {
      const { user } = client.getQueryData<ConfigurationAnswer>(keys.configuration) ?? {};
      const marked = user?.bookmarks[type].includes(key) ?? false;
      const { refused } = await call('PUT /usermark', { body: { type, keys: [key], marked } });
      if (refused.length > 0) throw new ApiError('BACKEND.ERROR.USER.BOOKMARK_NOT_FOUND');
    },
    onMutate: async (bookmark) => {
      await client.cancelQueries({ queryKey: keys.configuration });
      toggle(bookmark);
    },
    onError: (_error, bookmark) => toggle(bookmark),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: keys.groups });
    },
  });
}
