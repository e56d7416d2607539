/** Changes of many folders or pads with one call. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Mark } from '../../../api/bookmark/schema';
import type { ConfigurationAnswer } from '../../../api/configuration/schema';
import type { TagChange } from '../../../api/group/schema';
import { limits } from '../../../model/limits';
import { call } from './client';
import { changeConfiguration } from './configuration';
import { keys } from './keys';

/** Calls `send` with as many items as one call takes, until all are sent. Returns the answers. */
async function inParts<Item, Answer>(
  items: readonly Item[],
  send: (part: Item[]) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let start = 0; start < items.length; start += limits.bulk) {
    answers.push(await send(items.slice(start, start + limits.bulk)));
  }
  return answers;
}

/** Folders (`groups`) or pads whose bookmarks are set, or removed. */
export interface Marking {
  type: Mark['type'];
  ids: readonly string[];
  marked: boolean;
}

function withMarks(answer: ConfigurationAnswer, { type, ids, marked }: Marking): ConfigurationAnswer {
  if (answer.user === undefined) return answer;
  const { bookmarks } = answer.user;
  const others = bookmarks[type].filter((id) => !ids.includes(id));
  const next = { ...bookmarks, [type]: marked ? [...others, ...ids] : others };
  return { ...answer, user: { ...answer.user, bookmarks: next } };
}

/**
 * Sets or removes many bookmarks. Shown at once, and undone if the server refuses. Waits for earlier clicks on single
 * stars, which may be among them.
 */
export function useMarkMany() {
  const client = useQueryClient();
  const show = (marking: Marking): void => changeConfiguration(client, (known) => withMarks(known, marking));
  return useMutation({
    scope: { id: 'bookmarks' },
    mutationFn: async ({ type, ids, marked }: Marking) => {
      const answers = await inParts(ids, (part) =>
        call('PUT /usermark', { body: { type, keys: part, marked } }),
      );
      return {
        changed: answers.flatMap(({ changed }) => changed),
        refused: answers.flatMap(({ refused }) => refused),
      };
    },
    onMutate: async (marking) => {
      await client.cancelQueries({ queryKey: keys.configuration });
      const before = client.getQueryData<ConfigurationAnswer>(keys.configuration)?.user?.bookmarks;
      show(marking);
      return before;
    },
    onSuccess: ({ refused }, { type, marked }) => {
      show({ type, ids: refused, marked: !marked });
      void client.invalidateQueries({ queryKey: keys.groups });
    },
    onError: (_error, { type, ids, marked }, before) => {
      show({ type, ids: ids.filter((id) => before?.[type].includes(id) !== marked), marked: !marked });
    },
  });
}

/** Adds and removes tags of folders. The answer says what has changed, and which folders have not. */
export function useChangeTags() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (changes: readonly TagChange[]) => {
      const answers = await inParts(changes, (part) => call('POST /group/tags', { body: { changes: part } }));
      return {
        changed: answers.flatMap(({ changed }) => changed),
        failed: answers.flatMap(({ failed }) => failed),
      };
    },
    onSuccess: async ({ changed }) => {
      for (const { group } of changed) void client.invalidateQueries({ queryKey: keys.group(group) });
      await client.invalidateQueries({ queryKey: keys.groups });
    },
  });
}
