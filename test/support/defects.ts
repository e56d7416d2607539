/**
 * Defects of ep_mypads 1.x. Titles of tests contain these codes, and `npm test` fails when no passed test names one
 * (bin/test.ts). C: critical, A: availability, W: other weaknesses, R: races and incomplete changes, P: performance, B:
 * small bugs.
 */
export const defects: Record<string, string> = {
  C1: 'registering with an _id and somebody’s login took the account over',
  C2: 'with CAS, any login with any password signed in',
  C3: 'the websocket let everybody read and write every pad',
  C4: 'odd spellings of a pad’s address passed the guard',
  C5: 'signatures of tokens were not checked, and names out of JavaScript were sessions',
  C6: 'a profile with somebody else’s login hijacked it',
  C7: 'a group was taken over by its id in a body',
  C8: 'a pad was taken over, or put into somebody else’s group',
  C9: 'a bookmark showed any group',
  C10: 'user lists told author tokens, addresses and names',
  C11: 'signing in as __proto__ changed every object of the server',
  C12: 'there were built-in administrators',
  A1: 'an invited user at a private pad ended the server',
  A2: 'an LDAP server that is down ended the server',
  A3: 'an odd answer of an LDAP server ended the server',
  A4: 'a mail server that fails ended the server',
  A5: 'some thousand keys overflowed the stack',
  A6: 'a database that failed once blocked a key for ever',
  A7: 'a change by address made a record of nobody, and ended registrations',
  A8: 'what was missing beneath a record stopped its removal',
  A9: 'other lengths of passwords locked people out',
  A10: 'saving LDAP settings answered twice or never',
  A11: 'stale tokens were a fault of the server, and spoiled its log',
  W1: 'answers had hashes and salts',
  W2: 'one fast hash, of passwords of the directory too',
  W3: 'tokens without end, secrets that could be guessed',
  W4: 'mailed links worked again and stood in the log, no limits, addresses could be probed',
  W5: 'administrators could not sign out',
  W6: 'one address for two accounts; mails to whoever registered somebody’s login',
  W7: 'a new password or address needed no old password',
  W8: 'a pad’s own setting did not count, or counted for the wrong people',
  W9: 'the mode for everybody signed in was not asked for pads',
  W10: 'members saw addresses, guests saw members',
  W11: 'ids and numbers could be probed without a token',
  W12: 'tokens and passwords stayed in addresses and logs',
  W13: 'the page repeated the host that a request claims',
  W14: 'settings of CAS for everybody, secrets in clear, any field into an account',
  W15: 'ids of pads could be guessed, and an id was enough',
  W16: 'who was taken out of a group still saw it',
  W17: 'passwords that nobody asks for were kept in clear',
  W18: 'test pages were served',
  R1: 'of things done at once some were lost',
  R2: 'removals at once left bookmarks behind',
  R3: 'half a change after a crash; bookmarks of others were never taken away',
  R4: 'a change without an _id made something new',
  R5: 'a profile with an unknown login locked its owner out',
  R6: 'before everything was read, sign-ins failed and accounts came twice',
  R7: 'an old address still led to its account',
  P1: 'every start read and kept all accounts',
  P2: 'registering and searching went through all accounts',
  P3: 'the list of one’s own groups read one record after another, and many times',
  P4: 'lists of people were filtered again and again',
  P5: 'numbers for everybody, counted anew each time',
  P6: 'every request for a pad cost several reads',
  P7: 'all keys were read every second',
  P8: 'removing a long pad stopped the editor',
  P9: 'what was kept in memory only grew',
  B1: 'a confirmation in the wrong language, its link without a host',
  B2: 'tokens from the Referer, + and # lost in addresses',
  B3: 'name and colour did not arrive in the editor',
  B4: 'a chat that was removed left messages of nothing',
  B5: 'zero and negative minutes for links',
  B6: 'the list of one’s own groups named no admins',
  B7: 'a removed setting had no value until the next start',
  B8: 'who made a pad as a mere user could do nothing with it',
  B9: 'an admin dropped out by saving something else',
  B10: 'the letter case of an address decided who was invited',
  B11: 'a list of keys was emptied, and answered backwards',
  B12: 'the search found whole names only',
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
      .map((code) => `no test that passed is about ${code}: ${defects[code]}`),
    ...[...named]
      .filter((code) => !Object.hasOwn(defects, code))
      .map((code) => `a test is about ${code}, which test/support/defects.ts does not have`),
  ];
}
