/** Sessions, tickets, passwords and administrators, and the access checks that use them. */
import { createAdministrators } from '../access/administrator';
import { ApiTokens } from '../access/apiTokens';
import { createDevices } from '../access/devices';
import { Factors } from '../access/factors';
import { createPadAccess } from '../access/padAccess';
import { Passkeys } from '../access/passkeys';
import { Sessions } from '../access/session';
import { createTickets } from '../access/ticket';
import { createTokens } from '../access/token';
import { createUnlocks } from '../access/unlock';
import { createAdminLog } from '../adminLog/adminLog';
import { adminLogEntryOf } from '../adminLog/adminLogEntry';
import { createPasswords } from '../passwords/password';
import type { Ports } from '../ports';
import { createFormerPads } from '../store/formerPads';
import type { Foundation } from './foundation';

/** Rejects when the database fails. */
export async function createAccessParts(
  foundation: Foundation,
  { hasher, hostAccounts, pads }: Pick<Ports, 'hasher' | 'hostAccounts' | 'pads'>,
) {
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
  const sessions = new Sessions({
    ...foundation,
    tokens,
    administrators,
    publishSignedIn: (people) => coordination.publish('peopleSignedIn', people),
  });
  const apiTokens = new ApiTokens({
    ...foundation,
    administrators,
    areOn: () => configuration.get('apiTokens'),
  });
  const factors = new Factors({ ...foundation, tokens });
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
    passkeys: new Passkeys({ ...foundation, factors, rootUrl }),
    tickets,
    unlocks,
    formerPads,
    padAccess: createPadAccess({ ...foundation, sessions, tickets, unlocks, formerPads, editorPads }),
  };
}

export type AccessParts = Awaited<ReturnType<typeof createAccessParts>>;
