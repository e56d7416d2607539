import { isIPv4 } from 'node:net';
import { inspect } from 'node:util';
import type { Log } from '../model/ports';
import { core, packageOfHost } from './core';

type Level = 'debug' | 'info' | 'warn' | 'error';
type Logger = Record<Level, (message: string, facts?: object) => void>;

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

/** Layouts that write text show these facts as JSON in one line. Layouts that write fields find them as an object. */
function shownAsJson(facts: Record<string, unknown>): object {
  return Object.defineProperty({ ...facts }, inspect.custom, { value: () => JSON.stringify(facts) });
}

/** Logs to Etherpad's log as `ep_mypads`. Facts follow the message; `address` is shortened by the settings. */
export function createLog(): Log {
  const logger = packageOfHost<{ getLogger(name: string): Logger }>('log4js')?.getLogger('ep_mypads');
  const withLoggedAddress = (facts: Record<string, unknown>): Record<string, unknown> =>
    typeof facts.address === 'string'
      ? { ...facts, address: loggedAddress(facts.address, addressesOfHost()) }
      : facts;
  const write = (level: Level) => (message: string, facts?: Record<string, unknown>) => {
    const rest = facts ? [shownAsJson(withLoggedAddress(facts))] : [];
    if (logger) logger[level](message, ...rest);
    else console[level](`[ep_mypads] ${message}`, ...rest);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
