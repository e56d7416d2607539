/** Sessions, tickets, passwords and administrators, and the access checks that use them. */
import { type Administrators, createAdministrators } from '../access/administrator';
import { type AdminLog, createAdminLog } from '../access/adminLog';
import { createPadAccess, type PadAccess } from '../access/padAccess';
import { createSessions, type Sessions } from '../access/session';
import { createTickets, type Tickets } from '../access/ticket';
import { createTokens, type Tokens } from '../access/token';
import { createUnlocks, type Unlocks } from '../access/unlock';
import { createPasswords, type Passwords } from '../passwords/password';
import type { Ports } from '../ports';
import type { Foundation } from './foundation';

export interface AccessParts {
  tokens: Tokens;
  passwords: Passwords;
  administrators: Administrators;
  adminLog: AdminLog;
  sessions: Sessions;
  tickets: Tickets;
  unlocks: Unlocks;
  padAccess: PadAccess;
}

/** Rejects when the database fails. */
export async function createAccessParts(
  foundation: Foundation,
  { hasher, hostAccounts }: Pick<Ports, 'hasher' | 'hostAccounts'>,
): Promise<AccessParts> {
  const passwords = createPasswords(hasher);
  const tokens = await createTokens(foundation);
  const administrators = createAdministrators({ ...foundation, host: hostAccounts });
  const { exchange, leaderSchedule } = foundation;
  const sessions = createSessions({
    ...foundation,
    tokens,
    administrators,
    schedule: leaderSchedule,
    publishSignedIn: (people) => exchange.publish('signedIn', people),
  });
  const tickets = createTickets(foundation);
  const unlocks = createUnlocks({ ...foundation, passwords, sessions });
  return {
    tokens,
    passwords,
    administrators,
    adminLog: createAdminLog(foundation),
    sessions,
    tickets,
    unlocks,
    padAccess: createPadAccess({ ...foundation, sessions, tickets, unlocks }),
  };
}
