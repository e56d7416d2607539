/** Random messages to the websocket of an editor: some valid, most nearly valid, some far from it. */
import fc from 'fast-check';
import type { PadClient } from './socketClient';

/**
 * Sends one message. It is built at that moment from what the client knows of its pad, so that it may be nearly valid.
 */
export type HostileMessage = (client: PadClient) => void;

const base36 = (number: number): string => number.toString(36);

/** A number in base 36 for a changeset, possibly invalid. `length`: the length of the pad's text. */
const digits: fc.Arbitrary<(length: number) => string> = fc.oneof(
  fc.integer({ min: -2, max: 12 }).map((more) => (length: number) => base36(Math.max(0, length + more))),
  fc.nat(40).map((number) => () => base36(number)),
  fc
    .constantFrom('0', '1', '', '-1', '00', 'zzzzzz', 'zzzzz', 'zzzzzzzzzzzz', '1.5', 'A')
    .map((text) => () => text),
);
const operator = fc
  .record({
    attributes: fc.array(digits, { maxLength: 3 }),
    lines: fc.option(digits, { freq: 3 }),
    sign: fc.constantFrom('=', '+', '-', '?', ''),
    characters: digits,
  })
  .map(({ attributes, lines, sign, characters }) => (length: number) => {
    const numbers = attributes.map((number) => `*${number(length)}`).join('');
    return `${numbers}${lines ? `|${lines(length)}` : ''}${sign}${characters(length)}`;
  });
const bank = fc.oneof(
  fc.string({ unit: fc.constantFrom('x', '\n', '$', '*', 'é', '😀', '\u0000'), maxLength: 20 }),
  fc.constantFrom('x'.repeat(5_000), '\n'.repeat(5_000)),
);

/** A changeset with valid syntax, whose numbers rarely fit together. */
const invented = fc
  .record({
    start: fc.constantFrom('Z:', 'Z', ''),
    old: digits,
    sign: fc.constantFrom('>', '<', '='),
    difference: digits,
    operators: fc.array(operator, { maxLength: 8 }),
    end: fc.constantFrom('$', '$', '$', ''),
    bank,
  })
  .map((parts) => (length: number) => {
    const operators = parts.operators.map((write) => write(length)).join('');
    return `${parts.start}${parts.old(length)}${parts.sign}${parts.difference(length)}${operators}${parts.end}${parts.bank}`;
  });

/** A correct changeset with one number or letter changed. */
const damaged = fc
  .record({
    place: fc.nat(),
    other: fc.oneof(
      digits,
      fc.constantFrom('*', '|', '+', '=', '-', '$').map((c) => () => c),
    ),
  })
  .map(({ place, other }) => (length: number) => {
    const right = `Z:${base36(length)}>3*0+4-1$abcd`;
    const parts = right.match(/[0-9a-z]+|./gi) ?? [];
    parts[place % parts.length] = other(length);
    return parts.join('');
  });

/** A correct changeset with many small pieces, which take the host long. */
const right = fc.nat(200).map((pieces) => (length: number) => {
  const kept = Math.min(pieces, Math.max(0, length - 1));
  return `Z:${base36(length)}>${base36(kept)}${'=1*0+1'.repeat(kept)}$${'x'.repeat(kept)}`;
});

const attribute = fc.oneof(
  fc.tuple(
    fc.constantFrom('bold', 'list', 'lmkr', 'author', 'start', '__proto__'),
    fc.constantFrom('', 'true', 'bullet1', 'a.x'),
  ),
  fc.constantFrom<unknown>(null, 5, [], ['bold'], [1, 2], ['bold', 'true', 'more'], { length: 2 }),
);
const pool = fc.oneof(
  fc.array(attribute, { maxLength: 4 }).map((more) => (author: string) => ({
    numToAttrib: { ...[['author', author], ...more] },
    nextNum: more.length + 1,
  })),
  fc
    .constantFrom<unknown>(
      null,
      5,
      {},
      [],
      { numToAttrib: null },
      { numToAttrib: [] },
      { numToAttrib: { '-1': ['a', 'b'] }, nextNum: 1e300 },
    )
    .map((value) => () => value),
);
const number = fc.oneof(
  fc.integer({ min: -3, max: 200 }),
  fc.constantFrom<unknown>(2 ** 31, 2 ** 53, -(2 ** 60), 1e300, 0.5, '1', null, true, [], {}),
);

const change: fc.Arbitrary<HostileMessage> = fc
  .record({
    changeset: fc.oneof(invented, damaged, damaged, right),
    pool,
    revision: fc.option(number, { freq: 4 }),
  })
  .map(({ changeset, pool: makePool, revision }) => (client) => {
    const more = { pool: makePool(client.authorId), baseRev: revision ?? client.lastRevision };
    client.sendChangeset(changeset(client.text.length), more);
  });

const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
const text = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.constantFrom<unknown>('x'.repeat(9_000), null, 5, {}, [], { toString: 'x' }, deep(2_000)),
);
const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(deep(3_000), deep(30)));

/** `data` of a message to everybody in the pad. */
const inRoom = fc.oneof(
  fc.record({ type: fc.constant('CHAT_MESSAGE'), text, message: fc.oneof(text, fc.record({ text })) }),
  fc.record({ type: fc.constant('GET_CHAT_MESSAGES'), start: number, end: number }),
  fc.record({
    type: fc.constant('USERINFO_UPDATE'),
    userInfo: fc.oneof(anything, fc.record({ name: text, colorId: text })),
  }),
  fc.record({
    type: fc.constant('CLIENT_MESSAGE'),
    payload: fc.oneof(
      anything,
      fc.record({
        type: fc.constantFrom('suggestUserName', 'padoptions'),
        newName: text,
        unnamedId: text,
        options: anything,
      }),
    ),
  }),
  fc.record({
    type: fc.constantFrom('SAVE_REVISION', 'cursor', 'CUSTOM', 'constructor', 'PAD_DELETE'),
    data: anything,
  }),
  anything,
);
const message: fc.Arbitrary<HostileMessage> = fc.oneof(
  inRoom.map(
    (data): HostileMessage =>
      (client) =>
        client.send({ type: 'COLLABROOM', data }),
  ),
  fc.record({ start: number, granularity: number, requestID: text }).map(
    (data): HostileMessage =>
      (client) =>
        client.send({ type: 'CHANGESET_REQ', padId: client.padId, data }),
  ),
  fc
    .record({
      reconnect: fc.boolean(),
      client_rev: number,
      userInfo: anything,
      protocolVersion: fc.constantFrom(2, 2, 3),
    })
    .map(
      (more): HostileMessage =>
        (client) =>
          client.ask(client.padId, more),
    ),
  fc
    .record({
      component: fc.constantFrom('pad', 'pad', '__proto__'),
      type: fc.oneof(text, fc.constantFrom('USER_CHANGES', 'CLIENT_READY')),
      data: anything,
    })
    .map(
      (whole): HostileMessage =>
        (client) =>
          client.sendRaw(whole),
    ),
  fc.array(anything, { maxLength: 4 }).map(
    (parts): HostileMessage =>
      (client) =>
        client.sendRaw(...parts),
  ),
  fc
    .constantFrom(
      '2["message"]',
      '2[]',
      '2{}',
      '2["message",null,1,"x"]',
      '21["message",{}]',
      '2["cursor",{}]',
      '3',
      '31[null]',
      '2["message"',
    )
    .map(
      (packet): HostileMessage =>
        (client) =>
          client.sendPacket(packet),
    ),
);

/** A few messages, one after the other. */
export const hostileMessages: fc.Arbitrary<HostileMessage[]> = fc.array(fc.oneof(change, change, message), {
  minLength: 1,
  maxLength: 8,
});
