/**
 * The tables of the index. A file that was made with other statements is thrown away and built again, so they may be
 * changed at any time.
 */

import type { SqlStatement } from '../ports';

/** Texts for searches are made by `plainText`. Times are in milliseconds since 1970. */
export const schema = `
  -- The kinds of records of which everything was read once.
  CREATE TABLE built(kind TEXT PRIMARY KEY) WITHOUT ROWID;

  -- place: the order by login, with numbers by their value. facts: the bits of model/index/rows.ts, one for each
  -- way to sign in. plain: login, address and the full name as the page shows it.
  -- owner: the account in keys of records about it.
  -- mark: a digest of the row, to find what has changed.
  CREATE TABLE accounts(
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, login TEXT NOT NULL, email TEXT NOT NULL,
    firstname TEXT NOT NULL, lastname TEXT NOT NULL, plain TEXT NOT NULL, place TEXT NOT NULL,
    facts INTEGER NOT NULL, created INTEGER NOT NULL, owner TEXT NOT NULL, mark TEXT NOT NULL
  );
  CREATE INDEX accountsInOrder ON accounts(place, login, created, id);
  CREATE INDEX accountsByLogin ON accounts(login, created, id);
  CREATE INDEX accountsByAge ON accounts(created, number, facts, owner);
  -- Accounts that have a second factor, by "owner".
  CREATE TABLE factors(id TEXT PRIMARY KEY, mark TEXT NOT NULL) WITHOUT ROWID;
  -- Any part of the text of at least three characters.
  CREATE VIRTUAL TABLE accountTexts USING fts5(
    plain, content='accounts', content_rowid='number', tokenize='trigram case_sensitive 1'
  );
  -- What was removed is not left in the file.
  INSERT INTO accountTexts(accountTexts, rank) VALUES ('secure-delete', 1);
  CREATE TABLE accountReferences(
    target TEXT NOT NULL, account INTEGER NOT NULL, PRIMARY KEY (target, account)
  ) WITHOUT ROWID;
  CREATE INDEX referencesByAccount ON accountReferences(account);
  CREATE TRIGGER accountAdded AFTER INSERT ON accounts BEGIN
    INSERT INTO accountTexts(rowid, plain) VALUES (new.number, new.plain);
  END;
  -- Taking a text out takes about 5 ms, so it must not be done for each change of an account.
  CREATE TRIGGER accountRenamed AFTER UPDATE OF plain ON accounts WHEN old.plain <> new.plain BEGIN
    INSERT INTO accountTexts(accountTexts, rowid, plain) VALUES ('delete', old.number, old.plain);
    INSERT INTO accountTexts(rowid, plain) VALUES (new.number, new.plain);
  END;
  CREATE TRIGGER accountRemoved AFTER DELETE ON accounts BEGIN
    INSERT INTO accountTexts(accountTexts, rowid, plain) VALUES ('delete', old.number, old.plain);
    DELETE FROM accountReferences WHERE account = old.number;
  END;

  -- name: in composed form (NFC). plain: id, name and tags.
  CREATE TABLE folders(
    id TEXT PRIMARY KEY, name TEXT NOT NULL, plain TEXT NOT NULL, place TEXT NOT NULL, visibility TEXT NOT NULL,
    archived INTEGER NOT NULL, created INTEGER NOT NULL, mark TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE members(
    folder TEXT NOT NULL, account TEXT NOT NULL, isAdmin INTEGER NOT NULL, PRIMARY KEY (folder, account, isAdmin)
  ) WITHOUT ROWID;
  CREATE INDEX managers ON members(account) WHERE isAdmin = 1;
  CREATE TRIGGER folderRemoved AFTER DELETE ON folders BEGIN
    DELETE FROM members WHERE folder = old.id;
  END;

  -- short: as in the key of the note about its removal. changed: of the text; before the first change: created.
  CREATE TABLE pads(
    id TEXT PRIMARY KEY, short TEXT NOT NULL, name TEXT NOT NULL, plain TEXT NOT NULL, place TEXT NOT NULL,
    folder TEXT NOT NULL, visibility TEXT, changed INTEGER NOT NULL, mark TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX padsOfFolder ON pads(folder, changed);
  CREATE INDEX padsByChange ON pads(changed, id);
  -- API tokens. id: the hash. handle: the name of the token in answers.
  CREATE TABLE apiTokens(
    id TEXT PRIMARY KEY, handle TEXT NOT NULL, created INTEGER NOT NULL, ends INTEGER NOT NULL, mark TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX apiTokensByHandle ON apiTokens(handle);
  CREATE INDEX apiTokensByAge ON apiTokens(created, id);
  -- Notes about removals that have begun, and about the trash, which has all columns.
  CREATE TABLE removals(
    id TEXT PRIMARY KEY, pad TEXT, folder TEXT, deleted INTEGER, account TEXT, mark TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX trashedPads ON removals(folder, deleted);
  CREATE TABLE groupRemovals(id TEXT PRIMARY KEY, folder TEXT, deleted INTEGER, mark TEXT NOT NULL) WITHOUT ROWID;
`;

/** In the table `built` while removed texts are in the file. */
export const untidy = 'removed texts';

const overwriteAtOnce = (isOn: 0 | 1): SqlStatement => ({
  sql: "INSERT INTO accountTexts(accountTexts, rank) VALUES ('secure-delete', ?)",
  values: [isOn],
});

/** Around statements that change the texts of many accounts. */
export const untidied = {
  before: [{ sql: 'INSERT OR IGNORE INTO built VALUES (?)', values: [untidy] }, overwriteAtOnce(0)],
  after: [overwriteAtOnce(1)],
} satisfies Record<string, readonly SqlStatement[]>;

/** Overwrites removed texts. It takes a third of a second with 50,000 accounts. */
export const tidying: readonly SqlStatement[] = [
  { sql: "INSERT INTO accountTexts(accountTexts) VALUES ('optimize')", values: [] },
  { sql: 'DELETE FROM built WHERE kind = ?', values: [untidy] },
];
