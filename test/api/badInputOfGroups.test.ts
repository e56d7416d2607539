/** Bad input to the calls about groups, pads and bookmarks: the right key, a 4xx, and nothing changed afterwards. */
import { expect } from 'chai';
import type { Group, Pad } from '../../api/answers';
import { type Method, snapshot } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildGroup, buildPad } from '../support/factories';
import { usePeople } from '../support/people';

interface Row {
  title: string;
  method: Method;
  path: string;
  body?: unknown;
  error: string;
  status?: number;
}

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
      values.map((value) => ({
        title: `${method} ${path}: ${field} as ${JSON.stringify(value).slice(0, 30)}`,
        method,
        path,
        body: { ...base, [field]: value },
        error,
      })),
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
    { title: 'POST group without a name', method: 'post', path: 'group', body: {}, error: 'TYPE.PARAM_STR' },
    {
      title: 'POST pad without a name',
      method: 'post',
      path: 'pad',
      body: { group: 'GROUP' },
      error: 'TYPE.PARAM_STR',
    },
    {
      title: 'a list as body',
      method: 'post',
      path: 'group',
      body: [{ name: 'N' }],
      error: 'TYPE.JSON',
    },
    {
      title: 'PUT group with people that do not exist',
      method: 'put',
      path: 'group/GROUP',
      body: { users: ['nobody-1'] },
      error: 'GROUP.ITEMS_NOT_FOUND',
    },
    {
      title: "moving one's own pad into somebody else's group",
      method: 'put',
      path: 'pad/PAD',
      body: { group: 'FOREIGN' },
      error: 'AUTHENTICATION.DENIED_RECORD_EDIT',
      status: 401,
    },
    {
      title: "moving somebody else's pad into one's own group",
      method: 'put',
      path: 'pad/FOREIGNPAD',
      body: { group: 'GROUP', _id: 'FOREIGNPAD' },
      error: 'AUTHENTICATION.DENIED_RECORD_EDIT',
      status: 401,
    },
    {
      title: "making a pad in somebody else's group",
      method: 'post',
      path: 'pad',
      body: { name: 'N', group: 'FOREIGN' },
      error: 'AUTHENTICATION.DENIED',
      status: 401,
    },
    ...(['group', 'pad'] as const).flatMap((what): Row[] => [
      {
        title: `an id of 10 000 characters of a ${what}`,
        method: 'get',
        path: `${what}/${long(10_000)}`,
        error: 'CONFIGURATION.KEY_NOT_FOUND',
        status: 404,
      },
      {
        title: `a built-in name of JavaScript as id of a ${what}`,
        method: 'get',
        path: `${what}/__proto__`,
        error: 'CONFIGURATION.KEY_NOT_FOUND',
        status: 404,
      },
      {
        title: `a broken id of a ${what}`,
        method: 'get',
        path: `${what}/%E0%A4%A`,
        error: 'TYPE.ROUTE',
        status: 404,
      },
      {
        title: `a ${what} id with a zero byte`,
        method: 'delete',
        path: `${what}/%00`,
        error: 'CONFIGURATION.KEY_NOT_FOUND',
        status: 404,
      },
      {
        title: `DELETE ${what} with an unknown body`,
        method: 'delete',
        path: `${what}/${what.toUpperCase()}`,
        body: { force: true },
        error: 'TYPE.PARAM_UNKNOWN',
      },
      {
        title: `sending an invalid password to a ${what}`,
        method: 'post',
        path: `${what}/${what.toUpperCase()}/unlock`,
        body: { password: { $ne: '' } },
        error: 'TYPE.PASSWORD_STR',
      },
      {
        title: `sending no password to a ${what}`,
        method: 'post',
        path: `${what}/${what.toUpperCase()}/unlock`,
        body: {},
        error: 'TYPE.PASSWORD_STR',
      },
      {
        title: `two passwords in the query of a ${what}`,
        method: 'get',
        path: `${what}/${what.toUpperCase()}?password=eA&password=eA`,
        error: 'TYPE.PASSWORD_STR',
      },
    ]),
    {
      title: 'a ticket with a body',
      method: 'post',
      path: 'pad/PAD/ticket',
      body: { for: 'FOREIGNPAD' },
      error: 'TYPE.PARAM_UNKNOWN',
    },
    {
      title: 'inviting a thousand and one',
      method: 'post',
      path: 'group/invite',
      body: { gid: 'GROUP', invite: true, loginsOrEmails: new Array(1_001).fill('bob') },
      error: 'TYPE.LOGINS_ARR',
    },
    {
      title: 'inviting by an entry of 301 characters',
      method: 'post',
      path: 'group/invite',
      body: { gid: 'GROUP', invite: true, loginsOrEmails: [long(301)] },
      error: 'TYPE.LOGINS_ARR',
    },
    {
      title: 'inviting with an unknown field',
      method: 'post',
      path: 'group/invite',
      body: { gid: 'GROUP', invite: true, loginsOrEmails: [], admin: true },
      error: 'TYPE.PARAM_UNKNOWN',
    },
    ...['group', 'pad'].map(
      (what): Row => ({
        title: `an id in the body of a new ${what}`,
        method: 'post',
        path: what,
        body: { name: 'N', group: 'GROUP', id: 'made-up' },
        error: 'TYPE.PARAM_UNKNOWN',
      }),
    ),
    {
      title: 'an id in the body of a change',
      method: 'put',
      path: 'group/GROUP',
      body: { id: 'GROUP' },
      error: 'TYPE.PARAM_UNKNOWN',
    },
    { title: 'leaving without an id', method: 'post', path: 'group/resign', body: {}, error: 'TYPE.ID_STR' },
    {
      title: 'leaving a list of groups',
      method: 'post',
      path: 'group/resign',
      body: { gid: ['GROUP'] },
      error: 'TYPE.ID_STR',
    },
    {
      title: 'a bookmark on an object',
      method: 'post',
      path: 'usermark',
      body: { type: 'pads', key: { a: 1 } },
      error: 'USER.BOOKMARK_NOT_FOUND',
      status: 404,
    },
    {
      title: 'a bookmark whose kind is a built-in name of JavaScript',
      method: 'post',
      path: 'usermark',
      body: { type: 'constructor', key: 'PAD' },
      error: 'TYPE.TYPE_PADSORGROUPS',
    },
  ];

  /** The rows by the first part of their path: groups, pads, others. */
  const kinds: Record<string, Row[]> = {};
  for (const row of rows) {
    const [kind = ''] = row.path.split('/');
    kinds[kind] = [...(kinds[kind] ?? []), row];
  }
  const codes: Record<string, string> = { group: ' (C7)', pad: ' (C8)' };
  for (const [kind, ofKind] of Object.entries(kinds)) {
    it(`is refused by the calls of /${kind}, with the error that says why${codes[kind] ?? ''}`, () =>
      checkEach(
        ofKind.map((row): [string, Row] => [row.title, row]),
        async ({ method, path, body, error, status }) => {
          const answer = await asAlice(method, fill(path), body === undefined ? undefined : fill(body));
          expect([answer.status, answer.body.error]).to.deep.equal([status ?? 400, `BACKEND.ERROR.${error}`]);
          if (error === 'TYPE.PARAM_UNKNOWN') expect(answer.body.field).to.be.a('string');
        },
      ));
  }
});
