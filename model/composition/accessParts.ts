/** Sessions, tickets, passwords and administrators, and the access checks that use them. */
import { type Administrators, createAdministrators } from '../access/administrator';
import { type ApiTokens, createApiTokens } from '../access/apiTokens';
import { createDevices, type Devices } from '../access/devices';
import { createFactors, type Factors } from '../access/factors';
import { createPadAccess, type PadAccess } from '../access/padAccess';
import { createPasskeys, type Passkeys } from '../access/passkeys';
import { createSessions, type Sessions } from '../access/session';
import { createTickets, type Tickets } from '../access/ticket';
import { createTokens, type Tokens } from '../access/token';
import { createUnlocks, type Unlocks } from '../access/unlock';
import { type AdminLog, createAdminLog } from '../adminLog/adminLog';
import { adminLogEntryOf } from '../adminLog/adminLogEntry';
import { createPasswords, type Passwords } from '../passwords/password';
import type { Ports } from '../ports';
import { createFormerPads, type FormerPads } from '../store/formerPads';
import type { Foundation } from './foundation';

export interface AccessParts {
  tokens: Tokens;
  passwords: Passwords;
  administrators: Administrators;
  adminLog: AdminLog;
  devices: Devices;
  sessions: Sessions;
  apiTokens: ApiTokens;
  factors: Factors;
  passkeys: Passkeys;
  tickets: Tickets;
  unlocks: Unlocks;
  formerPads: FormerPads;
  padAccess: PadAccess;
}

/** Rejects when the database fails. */
export async function createAccessParts(
  foundation: Foundation,
  { hasher, hostAccounts, pads }: Pick<Ports, 'hasher' | 'hostAccounts' | 'pads'>,
): Promise<AccessParts> {
  const passwords = createPasswords(hasher);
  const tokens = await createTokens(foundation);
  const administrators = createAdministrators({ ...foundation, host: hostAccounts });
  const { configuration, coordination, events } = foundation;
  const adminLog = createAdminLog(foundation);
  // Of this process only: otherwise each process would write the entry.
  events.onOwn((event) => {
    const entry = adminLogEntryOf(event);
    if (entry) adminLog.add(entry);
  });
  const sessions = createSessions({
    ...foundation,
    tokens,
    administrators,
    publishSignedIn: (people) => coordination.publish('peopleSignedIn', people),
  });
  const apiTokens = createApiTokens({
    ...foundation,
    administrators,
    areOn: () => configuration.get('apiTokens'),
  });
  const factors = createFactors({ ...foundation, tokens });
  const rootUrl = () => configuration.get('rootUrl');
  const tickets = createTickets(foundation);
  const unlocks = createUnlocks({ ...foundation, passwords, sessions });
  const formerPads = createFormerPads(foundation);
  const editorPads = foundation.database.guardPads(pads);
  return {
    tokens,
    passwords,
    administrators,
    adminLog,
    devices: createDevices({ ...foundation, tokens }),
    sessions,
    apiTokens,
    factors,
    passkeys: createPasskeys({ ...foundation, factors, rootUrl }),
    tickets,
    unlocks,
    formerPads,
    padAccess: createPadAccess({ ...foundation, sessions, tickets, unlocks, formerPads, editorPads }),
  };
}
