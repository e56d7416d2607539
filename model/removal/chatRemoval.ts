/** Empties the chats of pads, then removes their messages from the database. */
import type { JobQueue, Jobs } from '../jobs/types';
import type { EditorPads } from '../ports';

export interface ChatRemovalFacts {
  pad: string;
}

export function defineChatRemoval(context: {
  jobs: Pick<Jobs, 'define'>;
  editorPads: EditorPads;
}): JobQueue<ChatRemovalFacts, number | undefined> {
  const { jobs, editorPads } = context;
  return jobs.define<ChatRemovalFacts, number | undefined>({
    type: 'removeChat',
    /** Resolves to the number of messages. What was written since an interrupted run is kept. */
    first: async ({ pad }, { reason }) => (reason === 'begun' ? editorPads.emptyChat(pad) : undefined),
    run: ({ pad }, { signal }, count) => editorPads.removeOldChat(pad, { count, signal }),
  });
}
