import type { Log } from '../model/ports';
import { packageOfHost } from './core';

type Level = 'debug' | 'info' | 'warn' | 'error';
type Logger = Record<Level, (message: string) => void>;

/** Etherpad's log, under the name `ep_mypads`. Facts follow the message as JSON. */
export function createLog(): Log {
  const logger = packageOfHost<{ getLogger(name: string): Logger }>('log4js')?.getLogger('ep_mypads');
  const write = (level: Level) => (message: string, facts?: Record<string, unknown>) => {
    const line = facts ? `${message} ${JSON.stringify(facts)}` : message;
    if (logger) logger[level](line);
    else console[level](`[ep_mypads] ${line}`);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
