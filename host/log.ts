import { isIPv4 } from 'node:net';
import type { Log } from '../model/ports';
import { core, packageOfHost } from './core';

type Level = 'debug' | 'info' | 'warn' | 'error';
type Logger = Record<Level, (message: string) => void>;

/** How much of a caller's IP address may be logged, by Etherpad's settings. */
export type AddressLogging = 'full' | 'truncated' | 'anonymous';

/** Etherpad 3.x has `ipLogging`, older versions have `disableIPlogging`. An invalid value hides addresses. */
export function readAddressLogging(settings: {
  ipLogging?: unknown;
  disableIPlogging?: unknown;
}): AddressLogging {
  const { ipLogging, disableIPlogging } = settings;
  if (ipLogging === undefined) return disableIPlogging ? 'anonymous' : 'full';
  return ipLogging === 'full' || ipLogging === 'truncated' ? ipLogging : 'anonymous';
}

/** The address as it may be logged. Truncated like in Etherpad 3.x: IPv4 to three numbers, IPv6 to three groups. */
export function loggedAddress(address: string, how: AddressLogging): string {
  if (how === 'full') return address;
  if (how === 'anonymous') return 'ANONYMOUS';
  if (isIPv4(address)) return address.replace(/\.\d+$/, '.0');
  const groups = address.includes(':') ? (address.split('::')[0] ?? '').split(':').filter(Boolean) : [];
  return groups.length > 0 ? `${groups.slice(0, 3).join(':')}::` : 'ANONYMOUS';
}

/** Read for every line, because Etherpad can reload its settings. */
function addressesOfHost(): AddressLogging {
  try {
    return readAddressLogging(core('node/utils/Settings'));
  } catch {
    return 'anonymous';
  }
}

/** Logs to Etherpad's log as `ep_mypads`. Facts follow the message as JSON; `address` is shortened by the settings. */
export function createLog(): Log {
  const logger = packageOfHost<{ getLogger(name: string): Logger }>('log4js')?.getLogger('ep_mypads');
  const withLoggedAddress = (facts: Record<string, unknown>): Record<string, unknown> =>
    typeof facts.address === 'string'
      ? { ...facts, address: loggedAddress(facts.address, addressesOfHost()) }
      : facts;
  const write = (level: Level) => (message: string, facts?: Record<string, unknown>) => {
    const line = facts ? `${message} ${JSON.stringify(withLoggedAddress(facts))}` : message;
    if (logger) logger[level](line);
    else console[level](`[ep_mypads] ${line}`);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
