/**
 * Opens many editors in a separate process, so that they do not disturb the measurement. Sends `ready` when all are
 * open, and answers `count` with the number of open editors and when the last one was closed.
 */
import { PadClient } from '../test/support/socketClient';

export interface Seat {
  pad: string;
  /** Without one, it is a guest's. */
  cookie?: string;
}

export interface EditorOrders {
  url: string;
  major: number;
  seats: Seat[];
}

export interface Report {
  ready?: true;
  failed?: string;
  open: number;
  /** Milliseconds since 1970 when the last editor was closed. */
  lastGone: number;
}

/** Editors that are opened at the same time. */
const concurrentOpens = 10;

async function openAll({ url, major, seats }: EditorOrders): Promise<void> {
  let open = 0;
  let lastGone = 0;
  const waiting = [...seats];
  const tell = (more: Partial<Report> = {}): void => {
    process.send?.({ open, lastGone, ...more } satisfies Report);
  };
  const openNext = async (): Promise<void> => {
    for (let seat = waiting.pop(); seat !== undefined; seat = waiting.pop()) {
      const client = await PadClient.connect({ url, major }, seat.cookie);
      const access = await client.join(seat.pad);
      if (access !== 'write') throw new Error(`an editor is ${access}`);
      open += 1;
      void client.gone(600_000).then(
        () => {
          open -= 1;
          lastGone = Date.now();
        },
        () => {},
      );
    }
  };
  process.on('message', () => tell());
  try {
    await Promise.all(Array.from({ length: concurrentOpens }, openNext));
    tell({ ready: true });
  } catch (error) {
    tell({ failed: String(error) });
  }
}

process.once('message', (orders: EditorOrders) => void openAll(orders));
process.once('disconnect', () => process.exit());
