/**
 * Defects of ep_mypads 1.x. Titles of tests contain these codes, and `npm test` fails when no passed test names one
 * (bin/test.ts). C: critical, A: availability, W: other weaknesses, R: races and incomplete changes, P: performance,
 * B: small bugs.
 */
export const defects: Record<string, string> = {
  C1: 'registering with an `_id` and the login of another person took over their account',
  C2: 'with CAS, any login with any password signed in',
  C3: 'over the websocket, everybody could read and write every pad',
  C4: 'unusual spellings of a pad’s address passed the access check',
  C5: 'signatures of tokens were not checked, and built-in names of JavaScript counted as sessions',
  C6: 'a change of a profile with the login of another person took over their account',
  C7: 'a group was taken over by sending its id in the body',
  C8: 'a pad was taken over, or moved into a group of somebody else',
  C9: 'a bookmark of any group showed its content',
  C10: 'user lists contained author tokens, addresses and names of other people',
  C11: 'signing in as `__proto__` changed every object of the server',
  C12: 'there were built-in administrators',
  A1: 'opening a private pad as an invited user ended the server',
  A2: 'the server ended when the LDAP server was down',
  A3: 'an unexpected answer of the LDAP server ended the server',
  A4: 'the server ended when the mail server failed',
  A5: 'a few thousand keys exceeded the size of the call stack',
  A6: 'after one error of the database, a key could not be read or written until a restart',
  A7: 'changing an account by its e-mail address stored a record without a name, and nobody could register then',
  A8: 'a missing record stopped the removal of the records that refer to it',
  A9: 'after a change of the allowed password lengths, people with other passwords could not sign in',
  A10: 'saving the LDAP settings was answered twice or never',
  A11: 'expired tokens counted as errors of the server and filled its log',
  W1: 'answers contained password hashes and salts',
  W2: 'passwords were hashed once with a fast function, those of the LDAP directory too',
  W3: 'tokens never expired, and secrets could be guessed',
  W4: 'mailed links worked more than once and were logged; mails were not limited; addresses could be probed',
  W5: 'administrators could not sign out',
  W6: 'two accounts could have one address, and registering a taken login sent mails to the caller’s address',
  W7: 'the password and the address could be changed without the current password',
  W8: 'a pad’s own setting was ignored, or applied to the wrong people',
  W9: 'the setting for signed-in people only did not apply to pads',
  W10: 'members saw e-mail addresses, and guests saw the members',
  W11: 'without a token, ids could be probed and numbers could be read',
  W12: 'tokens and passwords were left in addresses and logs',
  W13: 'the page contained the host name that a request claimed',
  W14: 'everybody saw the CAS settings, administrators saw secrets, and an account accepted any field',
  W15: 'ids of pads could be guessed, and knowing an id was enough to open a pad',
  W16: 'a person who was removed from a group still saw it',
  W17: 'passwords that were not used were stored in plain text',
  W18: 'test pages were served',
  R1: 'when several changes were made at the same time, some were lost',
  R2: 'when several groups were removed at the same time, bookmarks of them stayed',
  R3: 'a crash left changes half done, and bookmarks of other people were never removed',
  R4: 'a change without an `_id` created a new record',
  R5: 'a profile with an unknown login locked its owner out',
  R6: 'until all accounts were read, sign-ins failed and accounts were created twice',
  R7: 'an old address still led to its account',
  P1: 'every start read all accounts and kept them in memory',
  P2: 'registering and searching went through all accounts',
  P3: 'the list of a person’s groups read its records one after another, and some of them several times',
  P4: 'lists of people were filtered again for each list',
  P5: 'everybody could ask for the statistics, which were counted again for each request',
  P6: 'every request for a pad read several records',
  P7: 'all keys of the database were read every second',
  P8: 'the editor stopped while a long pad was removed',
  P9: 'caches had no upper limit',
  B1: 'confirmation mails had the wrong language and a link without a host name',
  B2: 'tokens were taken from the Referer, and addresses lost + and #',
  B3: 'the name and colour of the account were not used in the editor',
  B4: 'after the chat of a pad was removed, empty messages were left',
  B5: 'the lifetime of mailed links could be zero or negative',
  B6: 'the list of a person’s groups did not name the administrators',
  B7: 'a setting that was removed had no value until the next start',
  B8: 'a person who created a pad without being an administrator had no rights in it',
  B9: 'an administrator of a group was removed when they saved something else',
  B10: 'the letter case of an address decided whether an invitation found the account',
  B11: 'reading several keys emptied the caller’s list, and returned the values in reverse order',
  B12: 'the search found only whole names',
};

/** The codes that a title names in parentheses. */
export function codesIn(title: string): string[] {
  return [...title.matchAll(/\(([CAWRPB]\d+(?:, [CAWRPB]\d+)*)\b[^()]*\)/g)].flatMap(([, found = '']) =>
    found.split(', '),
  );
}

/** What is wrong with the codes of the tests that have passed in a whole run, one line each. */
export function defectsUntested(passed: Iterable<string>): string[] {
  const named = new Set(passed);
  return [
    ...Object.keys(defects)
      .filter((code) => !named.has(code))
      .map((code) => `no passed test covers ${code}: ${defects[code]}`),
    ...[...named]
      .filter((code) => !Object.hasOwn(defects, code))
      .map((code) => `a test names ${code}, but test/support/defects.ts does not list it`),
  ];
}
