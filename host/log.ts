import { isIPv4 } from 'node:net';
import type { Log } from '../model/ports';
import { core, packageOfHost } from './core';

type Level = 'debug' | 'info' | 'warn' | 'error';
type Logger = Record<Level, (message: string) => void>;

/** How much of a caller's address Etherpad's settings let a log have. */
export type AddressLogging = 'full' | 'truncated' | 'anonymous';

/** Etherpad 3.x has `ipLogging`; before it there was `disableIPlogging`. What makes no sense hides addresses. */
export function readAddressLogging(settings: {
  ipLogging?: unknown;
  disableIPlogging?: unknown;
}): AddressLogging {
  const { ipLogging, disableIPlogging } = settings;
  if (ipLogging === undefined) return disableIPlogging ? 'anonymous' : 'full';
  return ipLogging === 'full' || ipLogging === 'truncated' ? ipLogging : 'anonymous';
}

/** An address as it may stand in the log. Shortened as Etherpad 3.x does it: IPv4 without its last number, IPv6 to three groups. */
export function loggedAddress(address: string, how: AddressLogging): string {
  if (how === 'full') return address;
  if (how === 'anonymous') return 'ANONYMOUS';
  if (isIPv4(address)) return address.replace(/\.\d+$/, '.0');
  const groups = address.includes(':') ? (address.split('::')[0] ?? '').split(':').filter(Boolean) : [];
  return groups.length > 0 ? `${groups.slice(0, 3).join(':')}::` : 'ANONYMOUS';
}

/** As the host's settings say now: it can reload them. */
function addressesOfHost(): AddressLogging {
  try {
    return readAddressLogging(core('node/utils/Settings'));
  } catch {
    return 'anonymous';
  }
}

/** Etherpad's log, under the name `ep_mypads`. Facts follow the message as JSON; the fact `address` is that of a caller. */
export function createLog(): Log {
  const logger = packageOfHost<{ getLogger(name: string): Logger }>('log4js')?.getLogger('ep_mypads');
  const told = (facts: Record<string, unknown>): Record<string, unknown> =>
    typeof facts.address === 'string'
      ? { ...facts, address: loggedAddress(facts.address, addressesOfHost()) }
      : facts;
  const write = (level: Level) => (message: string, facts?: Record<string, unknown>) => {
    const line = facts ? `${message} ${JSON.stringify(told(facts))}` : message;
    if (logger) logger[level](line);
    else console[level](`[ep_mypads] ${line}`);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
