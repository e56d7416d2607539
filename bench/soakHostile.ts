/**
 * Simulates guests of a public pad who send invalid messages: almost correct changesets, and messages with wrong
 * fields. soak.ts starts it as a separate process and sets the rate.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Editor, type EditorPlace } from './editor';

export interface Hostility {
  place: EditorPlace;
  perSecond: number;
}

export interface HostilityReport {
  sent: number;
  /** Connections that the server has closed. */
  ended: number;
  /** Guests who could not connect again. */
  refused: string[];
}

const any = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;
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
  const sign = any(['+', '-', '=']);
  const lines = any(['', '', '|1', '|z', '|zzzzz']);
  const attributes = any(['', '*0', '*0*1', '*1', '*zzzzz', '*0*0*0']);
  return `${attributes}${lines}${sign}${any(['1', '2', '5', 'a', 'zz', 'zzzzzz', '0', '', '-1'])}`;
}

/** An almost correct changeset for a text of this length. */
function changeset(length: number): string {
  const bank = any(['x', 'xx', '', '\n', 'x\ny', '\u0000', '\ud800', 'x'.repeat(upTo(5_000))]);
  const valid = `Z:${base36(length)}>${base36(bank.length)}*0+${base36(bank.length)}$${bank}`;
  const kinds: (() => string)[] = [
    () => 'Z:zzzzzz>zzzzzz*0+zzzzzz$x',
    () => `Z:${base36(length)}>zzzzzz*0+zzzzzz$x`,
    () => `Z:1>zzzzzz*0+zzzzzz$x`,
    () => `Z:${base36(length)}<zzzzzz-zzzzzz$`,
    () =>
      `Z:${base36(length)}${any(['<', '>', '='])}${base36(upTo(9))}${operations()}${operations()}$${bank}`,
    () => {
      const at = upTo(valid.length);
      return valid.slice(0, at) + any(['', '|', '*', '+', '$', 'z', '-', '\n']) + valid.slice(at + upTo(2));
    },
    () => valid.repeat(2),
    () => any(['', 'Z:', 'Z:0>0$', '$', 'Z:1>1', '*'.repeat(20_000)]),
  ];
  return any(kinds)();
}

function pool(): unknown {
  const many = Object.fromEntries(
    Array.from({ length: upTo(2_000) }, (_, number) => [number, ['bold', 'true']]),
  );
  return any<unknown>([
    { numToAttrib: { 0: ['author', 'a.nobody'] }, nextNum: 1 },
    { numToAttrib: { 0: ['author', 'a.nobody'] }, nextNum: any(invalidValues) },
    { numToAttrib: { 0: any(invalidValues) }, nextNum: 1 },
    { numToAttrib: { 0: ['bold', any(invalidValues)] }, nextNum: 1 },
    { numToAttrib: many, nextNum: upTo(3_000) },
    { numToAttrib: any(invalidValues), nextNum: 1 },
    any(invalidValues),
  ]);
}

const inRoom = (data: unknown): unknown => ({ type: 'COLLABROOM', component: 'pad', data });

function message(length: number): unknown {
  const kinds: (() => unknown)[] = [
    () =>
      inRoom({
        type: 'USER_CHANGES',
        baseRev: any([0, 0, 1, 5]),
        changeset: changeset(length),
        apool: pool(),
      }),
    () =>
      inRoom({
        type: 'USER_CHANGES',
        baseRev: any(invalidValues),
        changeset: any([...invalidValues, changeset(length)]),
        apool: pool(),
      }),
    () => inRoom({ type: 'CHAT_MESSAGE', text: any(invalidValues), message: any(invalidValues) }),
    () =>
      inRoom({
        type: 'USERINFO_UPDATE',
        userInfo: any([any(invalidValues), { name: any(invalidValues), colorId: any(invalidValues) }]),
      }),
    () =>
      inRoom({
        type: 'CLIENT_MESSAGE',
        payload: any([any(invalidValues), { type: 'suggestUserName', newName: any(invalidValues) }]),
      }),
    () => inRoom({ type: 'GET_CHAT_MESSAGES', start: any(invalidValues), end: any(invalidValues) }),
    () =>
      inRoom({
        type: any(['SAVE_REVISION', 'cursor', 'CURSOR_POSITION', 'unknown']),
        data: any(invalidValues),
      }),
    () => inRoom(any(invalidValues)),
    () => ({
      type: 'CHANGESET_REQ',
      component: 'pad',
      data: { start: any(invalidValues), granularity: any(invalidValues), requestID: any(invalidValues) },
    }),
    () => ({
      type: 'CLIENT_READY',
      component: 'pad',
      padId: any(invalidValues),
      token: any(invalidValues),
      protocolVersion: 2,
    }),
    () => ({ type: any(invalidValues), component: any(invalidValues), data: any(invalidValues) }),
    () => any(invalidValues),
  ];
  // More changesets than others, because Etherpad does most work for them.
  return any([...kinds, kinds[0], kinds[0], kinds[0], kinds[0]] as (() => unknown)[])();
}

let report: HostilityReport = { sent: 0, ended: 0, refused: [] };

async function sendHostileMessages({ place, perSecond }: Hostility): Promise<never> {
  let editor: Editor | undefined;
  for (;;) {
    try {
      editor ??= await Editor.open(place, {
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
