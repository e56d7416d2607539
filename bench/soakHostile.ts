/**
 * Simulates guests of a public pad who send invalid messages: almost correct changesets, and messages with wrong
 * fields. soak.ts starts it as a separate process and sets the rate.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { pickOne } from './dataset';
import { Editor, type EditorPlace } from './editor';

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

const upTo = (most: number): number => Math.floor(Math.random() * (most + 1));
const base36 = (value: number): string => value.toString(36);

const invalidValues: readonly unknown[] = [
  null,
  undefined,
  true,
  -1,
  0.5,
  1e9,
  2 ** 53,
  '',
  'x',
  '__proto__',
  'x'.repeat(50_000),
  [],
  [[[[]]]],
  {},
  { toString: 1, length: 1e9 },
  { constructor: { prototype: 1 } },
];

function operations(): string {
  const sign = pickOne(['+', '-', '=']);
  const lines = pickOne(['', '', '|1', '|z', '|zzzzz']);
  const attributes = pickOne(['', '*0', '*0*1', '*1', '*zzzzz', '*0*0*0']);
  return `${attributes}${lines}${sign}${pickOne(['1', '2', '5', 'a', 'zz', 'zzzzzz', '0', '', '-1'])}`;
}

/** An almost correct changeset for a text of this length. */
function changeset(length: number): string {
  const bank = pickOne(['x', 'xx', '', '\n', 'x\ny', '\u0000', '\ud800', 'x'.repeat(upTo(5_000))]);
  const valid = `Z:${base36(length)}>${base36(bank.length)}*0+${base36(bank.length)}$${bank}`;
  const kinds: (() => string)[] = [
    () => 'Z:zzzzzz>zzzzzz*0+zzzzzz$x',
    () => `Z:${base36(length)}>zzzzzz*0+zzzzzz$x`,
    () => `Z:1>zzzzzz*0+zzzzzz$x`,
    () => `Z:${base36(length)}<zzzzzz-zzzzzz$`,
    () =>
      `Z:${base36(length)}${pickOne(['<', '>', '='])}${base36(upTo(9))}${operations()}${operations()}$${bank}`,
    () => {
      const at = upTo(valid.length);
      return (
        valid.slice(0, at) + pickOne(['', '|', '*', '+', '$', 'z', '-', '\n']) + valid.slice(at + upTo(2))
      );
    },
    () => valid.repeat(2),
    () => pickOne(['', 'Z:', 'Z:0>0$', '$', 'Z:1>1', '*'.repeat(20_000)]),
  ];
  return pickOne(kinds)();
}

function pool(): unknown {
  const many = Object.fromEntries(
    Array.from({ length: upTo(2_000) }, (_, number) => [number, ['bold', 'true']]),
  );
  return pickOne<unknown>([
    { numToAttrib: { 0: ['author', 'a.nobody'] }, nextNum: 1 },
    { numToAttrib: { 0: ['author', 'a.nobody'] }, nextNum: pickOne(invalidValues) },
    { numToAttrib: { 0: pickOne(invalidValues) }, nextNum: 1 },
    { numToAttrib: { 0: ['bold', pickOne(invalidValues)] }, nextNum: 1 },
    { numToAttrib: many, nextNum: upTo(3_000) },
    { numToAttrib: pickOne(invalidValues), nextNum: 1 },
    pickOne(invalidValues),
  ]);
}

const inRoom = (data: unknown): unknown => ({ type: 'COLLABROOM', component: 'pad', data });

function message(length: number): unknown {
  const kinds: (() => unknown)[] = [
    () =>
      inRoom({
        type: 'USER_CHANGES',
        baseRev: pickOne([0, 0, 1, 5]),
        changeset: changeset(length),
        apool: pool(),
      }),
    () =>
      inRoom({
        type: 'USER_CHANGES',
        baseRev: pickOne(invalidValues),
        changeset: pickOne([...invalidValues, changeset(length)]),
        apool: pool(),
      }),
    () => inRoom({ type: 'CHAT_MESSAGE', text: pickOne(invalidValues), message: pickOne(invalidValues) }),
    () =>
      inRoom({
        type: 'USERINFO_UPDATE',
        userInfo: pickOne([
          pickOne(invalidValues),
          { name: pickOne(invalidValues), colorId: pickOne(invalidValues) },
        ]),
      }),
    () =>
      inRoom({
        type: 'CLIENT_MESSAGE',
        payload: pickOne([
          pickOne(invalidValues),
          { type: 'suggestUserName', newName: pickOne(invalidValues) },
        ]),
      }),
    () => inRoom({ type: 'GET_CHAT_MESSAGES', start: pickOne(invalidValues), end: pickOne(invalidValues) }),
    () =>
      inRoom({
        type: pickOne(['SAVE_REVISION', 'cursor', 'CURSOR_POSITION', 'unknown']),
        data: pickOne(invalidValues),
      }),
    () => inRoom(pickOne(invalidValues)),
    () => ({
      type: 'CHANGESET_REQ',
      component: 'pad',
      data: {
        start: pickOne(invalidValues),
        granularity: pickOne(invalidValues),
        requestID: pickOne(invalidValues),
      },
    }),
    () => ({
      type: 'CLIENT_READY',
      component: 'pad',
      padId: pickOne(invalidValues),
      token: pickOne(invalidValues),
      protocolVersion: 2,
    }),
    () => ({ type: pickOne(invalidValues), component: pickOne(invalidValues), data: pickOne(invalidValues) }),
    () => pickOne(invalidValues),
  ];
  // More changesets than others, because Etherpad does most work for them.
  return pickOne([...kinds, kinds[0], kinds[0], kinds[0], kinds[0]] as (() => unknown)[])();
}

let report: HostilityReport = { sent: 0, ended: 0, refused: [] };

async function sendHostileMessages({ server, perSecond }: Hostility): Promise<never> {
  let editor: Editor | undefined;
  for (;;) {
    try {
      editor ??= await Editor.open(server, {
        lost: () => {
          editor = undefined;
          report.ended += 1;
        },
      });
      editor?.sendRaw(message(editor.textLength));
      report.sent += 1;
    } catch (error) {
      report.refused.push(String(error));
      await pause(1_000);
    }
    await pause(1_000 / perSecond);
  }
}

process.on('message', (order: Hostility | 'report') => {
  if (order === 'report') {
    process.send?.(report);
    report = { sent: 0, ended: 0, refused: [] };
  } else void sendHostileMessages(order);
});
process.on('disconnect', () => process.exit(0));
