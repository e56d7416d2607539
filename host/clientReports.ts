/**
 * Etherpad logs what browsers report about their errors and connections as it is, from anybody (`/jserror`,
 * `/ep/pad/connection-diagnostic-info`). With a line break in it, they could write lines that look like others.
 */
import { packageOfHost } from './core';

/** `_log` gets what is logged at every level, in all versions of log4js that Etherpad has had. */
interface LoggerType {
  _log?: (this: { category?: string }, level: unknown, values: unknown[], ...more: unknown[]) => unknown;
}

/** The logger with which Etherpad writes the reports. */
const category = 'client';

/** Whatever could begin a line or move the cursor of a terminal, as its code. */
const oneLine = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.replace(
        /[\p{Cc}\u2028\u2029]/gu,
        (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    : value;

const ours = new WeakSet<NonNullable<LoggerType['_log']>>();

/** Keeps each report in its line. Objects are shown with their texts quoted. Does nothing the second time. */
export function keepReportsInLine(): void {
  const logger = packageOfHost<{ getLogger(name: string): object }>('log4js')?.getLogger(category);
  const type: LoggerType | null = logger === undefined ? null : Object.getPrototypeOf(logger);
  const write = type?._log;
  if (!type || !write || ours.has(write)) return;
  type._log = function (level, values, ...more) {
    return write.call(this, level, this.category === category ? values.map(oneLine) : values, ...more);
  };
  ours.add(type._log);
}
