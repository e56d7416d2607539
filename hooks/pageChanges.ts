/**
 * Tells open editors that their pad or its folder has another name, that the pad was moved, or that the person may
 * change it now, or no longer. accessChanges.ts disconnects those whose access has changed.
 */
import { memoise } from '../model/access/padDecisions';
import { inTurns } from '../model/store/batches';
import { visitOf } from './editorAccess';
import { createRounds } from './editorRounds';
import { allSources, type Connection, dependentsOf, type Source } from './openEditors';
import { type PageRecords, type PlacedPage, padPage, storedPageRecords } from './padPage';
import type { Runtime } from './runtime';

/** Milliseconds from an event to its handling. Longer than in accessChanges.ts, which disconnects editors first. */
const debounceTime = 150;

/** Milliseconds in which the app of one editor reads the pad again, so that thousands do not read it at once. */
const readingTime = 10;

/** Sends the page to an editor if it differs from what was sent last. */
async function sendPage(
  runtime: Runtime,
  connection: Connection,
  records: PageRecords,
  within: number,
): Promise<void> {
  const { placed: before, socket } = connection;
  const visit = before && visitOf(runtime, connection);
  const placed = visit && (await padPage(runtime, visit, records));
  if (!placed || !socket.connected) return;
  if (JSON.stringify(placed) === JSON.stringify(before)) return;
  connection.placed = placed;
  if (JSON.stringify(placed.page) === JSON.stringify(before.page)) return;
  emitPage(connection, { page: placed.page, within, moved: isMoveSeen(before, placed) });
}

/** Who can see neither the former folder nor the new one is not told that there was a move. */
const isMoveSeen = (before: PlacedPage, now: PlacedPage): boolean =>
  before.folder !== now.folder && (before.isFolderVisible || now.isFolderVisible);

/** See static/pad/hooks.ts. */
interface PageChange {
  page: PlacedPage['page'];
  within: number;
  moved: boolean;
}

function emitPage({ socket }: Connection, payload: PageChange): void {
  const data = { type: 'EP_MYPADS_PAGE_CHANGED', payload };
  socket.emit('message', { type: 'COLLABROOM', data });
}

/** For an editor that connects again and may have missed a change. It ignores a page that it shows already. */
export async function sendPageAgain(runtime: Runtime, connection: Connection): Promise<void> {
  const visit = visitOf(runtime, connection);
  const placed = visit && (await padPage(runtime, visit));
  if (!placed) return;
  connection.placed = placed;
  emitPage(connection, { page: placed.page, within: 0, moved: false });
}

/** Sends pages again after every change that may affect them. Call it once per runtime. */
export function watchPageChanges(runtime: Runtime): void {
  const { schedule, log, model } = runtime;
  const { events } = model;
  const update = createRounds({
    schedule,
    name: 'update pages of open editors',
    delay: debounceTime,
    async handle(round) {
      const stored = storedPageRecords(model);
      const records = { pad: memoise(stored.pad), group: memoise(stored.group) };
      const within = (round.size - 1) * readingTime;
      await inTurns(round, async (connection) => {
        try {
          await sendPage(runtime, connection, records, within);
        } catch (error) {
          log.error('updating the page of an open editor failed', { error: String(error) });
        }
      });
    },
  });
  const onChanged = (sources: Iterable<Source>): void => update(dependentsOf(sources));

  events.on('group', ({ id }) => onChanged([`group:${id}`]));
  events.on('pad', ({ id }) => onChanged([`pad:${id}`]));
  events.on('configuration', ({ key, access }) => {
    if (access || key === 'title') onChanged(allSources());
  });
  events.onMissed(() => onChanged(allSources()));
}
