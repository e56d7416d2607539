/**
 * Simulates guests of a public pad who send the random messages of the tests, most of them invalid. soak.ts starts it
 * as a separate process and sets the rate.
 */
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { hostileMessages } from '../test/support/hostileMessages';
import { PadClient } from '../test/support/socketClient';
import type { EditorPlace } from './editor';

export interface Hostility {
  server: EditorPlace;
  perSecond: number;
}

export interface HostilityReport {
  sent: number;
  /** Connections that the server has closed. */
  ended: number;
  /** Guests who could not connect again. */
  refused: string[];
}

let report: HostilityReport = { sent: 0, ended: 0, refused: [] };

/** Opens the pad as a new guest. Throws unless they may write. */
async function comeIn({ url, major, pad }: EditorPlace): Promise<PadClient> {
  const client = await PadClient.connect({ url, major });
  const standing = await client.tryJoin(pad);
  if (standing === 'write') return client;
  client.close();
  throw new Error(`a guest who opens the pad is ${standing}`);
}

/** Whether the server has ended the connection, or told the editor to do so. */
const hasEnded = ({ closed, messages }: PadClient): boolean =>
  closed || messages.some(({ accessStatus, disconnect }) => Boolean(accessStatus ?? disconnect));

async function sendHostileMessages({ server, perSecond }: Hostility): Promise<never> {
  let client: PadClient | undefined;
  for (;;) {
    for (const send of fc.sample(hostileMessages, 1).flat()) {
      try {
        client ??= await comeIn(server);
        send(client);
        report.sent += 1;
      } catch (error) {
        report.refused.push(String(error));
        await pause(1_000);
      }
      await pause(1_000 / perSecond);
      if (client === undefined || !hasEnded(client)) continue;
      client.close();
      client = undefined;
      report.ended += 1;
    }
  }
}

process.on('message', (order: Hostility | 'report') => {
  if (order === 'report') {
    process.send?.(report);
    report = { sent: 0, ended: 0, refused: [] };
  } else void sendHostileMessages(order);
});
process.on('disconnect', () => process.exit(0));
