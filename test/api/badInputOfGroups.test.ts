/** Bad input to the calls about groups, pads and bookmarks: the right key, a 4xx, and nothing changed afterwards. */
import { expect } from 'chai';
import type { Group, Pad } from '../../api/answers';
import { type Method, snapshot } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildGroup, buildPad } from '../support/factories';
import { usePeople } from '../support/people';

type Row = [method: Method, path: string, error: string, body?: unknown];

describe('bad input about groups and pads', () => {
  const people = usePeople();
  const { alice, carol, asAlice } = people;
  let group: Group;
  let pad: Pad;
  let foreign: Group;
  let foreignPad: Pad;
  let before_: Record<string, unknown>;

  before(async () => {
    group = await buildGroup(people.app, alice, { visibility: 'private', password: 'secret' });
    pad = await buildPad(people.app, alice, group);
    foreign = await buildGroup(people.app, carol);
    foreignPad = await buildPad(people.app, carol, foreign);
  });

  beforeEach(async () => {
    before_ = await snapshot(people.app);
  });
  afterEach(async () => {
    expect(await snapshot(people.app), 'what the database holds').to.deep.equal(before_);
  });

  /** `GROUP`, `PAD`, `FOREIGN` and `FOREIGNPAD` stand for ids that are known only when the test runs. */
  function fill<Value>(value: Value): Value {
    const text = JSON.stringify(value)
      .replaceAll('FOREIGNPAD', foreignPad._id)
      .replaceAll('FOREIGN', foreign._id)
      .replaceAll('GROUP', group._id)
      .replaceAll('"PAD"', `"${pad._id}"`)
      .replaceAll('/PAD', `/${pad._id}`);
    return JSON.parse(text) as Value;
  }

  const long = (length: number): string => 'x'.repeat(length);
  const wrongTypes = (
    path: string,
    method: Method,
    base: object,
    fields: Record<string, [string, unknown[]]>,
  ): Row[] =>
    Object.entries(fields).flatMap(([field, [error, values]]) =>
      values.map((value): Row => [method, path, error, { ...base, [field]: value }]),
    );

  const groupFields: Record<string, [string, unknown[]]> = {
    name: ['TYPE.PARAM_STR', [5, {}, [], '', '   ', long(41)]],
    description: ['TYPE.PARAM_INVALID', [5, {}, long(2_001)]],
    visibility: ['TYPE.PARAM_INVALID', [5, 'open', '', null]],
    password: ['TYPE.PASSWORD_STR', [5, {}, long(1_001)]],
    readonly: ['TYPE.PARAM_INVALID', ['true', 1, null]],
    archived: ['TYPE.PARAM_INVALID', ['true', 1]],
    allowUsersToCreatePads: ['TYPE.PARAM_INVALID', ['true', 1]],
    tags: ['TYPE.PARAM_INVALID', ['a', [5], [''], [long(41)], new Array(51).fill('a')]],
    admins: ['TYPE.PARAM_INVALID', ['a', [5], [''], [null], new Array(1_001).fill('a')]],
    users: ['TYPE.PARAM_INVALID', ['a', [{}], new Array(1_001).fill('a')]],
    surprise: ['TYPE.PARAM_UNKNOWN', [1]],
  };
  const padFields: Record<string, [string, unknown[]]> = {
    name: ['TYPE.PARAM_STR', [5, {}, '', long(41)]],
    group: ['TYPE.PARAM_STR', [5, {}, '', [], null, long(256)]],
    visibility: ['TYPE.PARAM_INVALID', [5, 'open']],
    password: ['TYPE.PASSWORD_STR', [5, {}, long(1_001)]],
    readonly: ['TYPE.PARAM_INVALID', ['true', 1]],
    surprise: ['TYPE.PARAM_UNKNOWN', [1]],
  };

  const rows: Row[] = [
    ...wrongTypes('group', 'post', { name: 'N' }, groupFields),
    ...wrongTypes('group/GROUP', 'put', {}, groupFields),
    ...wrongTypes('pad', 'post', { name: 'N', group: 'GROUP' }, padFields),
    ...wrongTypes('pad/PAD', 'put', {}, padFields),
    ...wrongTypes(
      'group',
      'post',
      { name: 'N' },
      { _id: ['TYPE.ID_STR', ['GROUP', 'FOREIGN', 'new', 5, '', null]] },
    ),
    ...wrongTypes(
      'pad',
      'post',
      { name: 'N', group: 'GROUP' },
      { _id: ['TYPE.ID_STR', ['PAD', 'FOREIGNPAD', 'new', 5, '']] },
    ),
    ...wrongTypes('group/GROUP', 'put', { name: 'N' }, { _id: ['TYPE.ID_STR', ['FOREIGN', 5, '', {}]] }),
    ...wrongTypes('pad/PAD', 'put', { name: 'N' }, { _id: ['TYPE.ID_STR', ['FOREIGNPAD', 5, '', {}]] }),
    ['post', 'group', 'TYPE.PARAM_STR', {}],
    ['post', 'pad', 'TYPE.PARAM_STR', { group: 'GROUP' }],
    ['post', 'group', 'TYPE.JSON', [{ name: 'N' }]],
    ['put', 'group/GROUP', 'GROUP.ITEMS_NOT_FOUND', { users: ['nobody-1'] }],
    ['put', 'pad/PAD', 'AUTHENTICATION.DENIED_RECORD_EDIT', { group: 'FOREIGN' }],
    ['put', 'pad/FOREIGNPAD', 'AUTHENTICATION.DENIED_RECORD_EDIT', { group: 'GROUP', _id: 'FOREIGNPAD' }],
    ['post', 'pad', 'AUTHENTICATION.DENIED', { name: 'N', group: 'FOREIGN' }],
    ...(['group', 'pad'] as const).flatMap((what): Row[] => [
      ['get', `${what}/${long(10_000)}`, 'CONFIGURATION.KEY_NOT_FOUND'],
      ['get', `${what}/__proto__`, 'CONFIGURATION.KEY_NOT_FOUND'],
      ['get', `${what}/%E0%A4%A`, 'TYPE.ROUTE'],
      ['delete', `${what}/%00`, 'CONFIGURATION.KEY_NOT_FOUND'],
      ['delete', `${what}/${what.toUpperCase()}`, 'TYPE.PARAM_UNKNOWN', { force: true }],
      ['post', `${what}/${what.toUpperCase()}/unlock`, 'TYPE.PASSWORD_STR', { password: { $ne: '' } }],
      ['post', `${what}/${what.toUpperCase()}/unlock`, 'TYPE.PASSWORD_STR', {}],
      ['get', `${what}/${what.toUpperCase()}?password=eA&password=eA`, 'TYPE.PASSWORD_STR'],
    ]),
    ['post', 'pad/PAD/ticket', 'TYPE.PARAM_UNKNOWN', { for: 'FOREIGNPAD' }],
    [
      'post',
      'group/invite',
      'TYPE.LOGINS_ARR',
      { gid: 'GROUP', invite: true, loginsOrEmails: new Array(1_001).fill('bob') },
    ],
    ['post', 'group/invite', 'TYPE.LOGINS_ARR', { gid: 'GROUP', invite: true, loginsOrEmails: [long(301)] }],
    [
      'post',
      'group/invite',
      'TYPE.PARAM_UNKNOWN',
      { gid: 'GROUP', invite: true, loginsOrEmails: [], admin: true },
    ],
    ['post', 'group/resign', 'TYPE.ID_STR', {}],
    ['post', 'group/resign', 'TYPE.ID_STR', { gid: ['GROUP'] }],
    ['post', 'usermark', 'USER.BOOKMARK_NOT_FOUND', { type: 'pads', key: { a: 1 } }],
    ['post', 'usermark', 'TYPE.TYPE_PADSORGROUPS', { type: 'constructor', key: 'PAD' }],
    ...['group', 'pad'].map(
      (what): Row => ['post', what, 'TYPE.PARAM_UNKNOWN', { name: 'N', group: 'GROUP', id: 'made-up' }],
    ),
    ['put', 'group/GROUP', 'TYPE.PARAM_UNKNOWN', { id: 'GROUP' }],
  ];

  /** The rows by the first part of their path: groups, pads, others. */
  const kinds: Record<string, Row[]> = {};
  for (const row of rows) {
    const [kind = ''] = row[1].split('/');
    kinds[kind] = [...(kinds[kind] ?? []), row];
  }
  const codes: Record<string, string> = { group: ' (C7)', pad: ' (C8)' };
  for (const [kind, ofKind] of Object.entries(kinds)) {
    it(`is refused by the calls of /${kind}, with the error that says why${codes[kind] ?? ''}`, () =>
      checkEach(
        ofKind.map((row): [string, Row] => [JSON.stringify(row).slice(0, 150), row]),
        async ([method, path, error, body]) => {
          const answer = await asAlice(method, fill(path), body === undefined ? undefined : fill(body));
          expect(answer.body.error).to.equal(`BACKEND.ERROR.${error}`);
          if (error === 'TYPE.PARAM_UNKNOWN') expect(answer.body.field).to.be.a('string');
        },
      ));
  }
});
