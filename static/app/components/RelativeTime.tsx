import { useSyncExternalStore } from 'react';
import { dateFormatter } from '../../../model/dateFormat';
import { type TextKey, useTranslation } from '../texts/i18n';

const minute = 60_000;
const listeners = new Set<() => void>();
let now = Date.now();
let ticking: ReturnType<typeof setInterval> | undefined;

/* One timer updates all times on the screen. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // While no time was on the screen, nothing has updated this. The first one is then rendered again.
  if (ticking === undefined) now = Date.now();
  ticking ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, minute);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 24 * 60 * minute],
  ['month', 30 * 24 * 60 * minute],
  ['week', 7 * 24 * 60 * minute],
  ['day', 24 * 60 * minute],
  ['hour', 60 * minute],
  ['minute', minute],
];

const relative = new Map<string, Intl.RelativeTimeFormat>();
const exact = new Map<string, ReturnType<typeof dateFormatter>>();

function cached<Format>(cache: Map<string, Format>, language: string, make: () => Format): Format {
  const format = cache.get(language) ?? make();
  cache.set(language, format);
  return format;
}

/**
 * "3 days ago" in the given language; `undefined` for less than a minute. Times are milliseconds since 1970.
 * "Yesterday" is the date before, and not 24 to 48 hours ago. Weeks, months and years are counted from now.
 */
function relativeTime(time: number, from: number, language: string): string | undefined {
  const found = units.find(([, length]) => from - time >= length);
  if (found === undefined) return undefined;
  const [unit, length] = found;
  const numeric = unit === 'day' ? 'auto' : 'always';
  const make = () => new Intl.RelativeTimeFormat(language, { numeric });
  const format = cached(relative, `${language} ${numeric}`, make);
  if (unit !== 'day') return format.format(Math.trunc((time - from) / length), unit);
  const midnight = (of: number): number => new Date(of).setHours(0, 0, 0, 0);
  return format.format(Math.round((midnight(time) - midnight(from)) / length), unit);
}

/** Date and time in full, in the format of the language. */
function exactTime(time: number, language: string): string {
  const format = cached(exact, language, () =>
    dateFormatter(language, { dateStyle: 'long', timeStyle: 'short' }),
  );
  return format(time);
}

export interface RelativeTimeProps {
  /** Milliseconds since 1970. 0 in records of 1.x that have no time: nothing is shown. */
  time: number;
}

/** A text with a relative time in the place of `{{time}}`, which languages put where they need it. */
export function TimeText({ text, time }: { text: TextKey; time: number }) {
  const { t } = useTranslation();
  if (time === 0) return null;
  const [before, after] = t(text, { time: '\n' }).split('\n');
  return (
    <>
      {before}
      <RelativeTime time={time} />
      {after}
    </>
  );
}

/** Shows how long ago something was. The tooltip shows the exact time. Updates itself. */
export function RelativeTime({ time }: RelativeTimeProps) {
  const { t, language } = useTranslation();
  const clock = useSyncExternalStore(subscribe, () => now);
  if (time === 0) return null;
  return (
    <time dateTime={new Date(time).toISOString()} title={exactTime(time, language)}>
      {relativeTime(Math.min(time, clock), clock, language) ?? t('time.justNow')}
    </time>
  );
}

/** When a folder or pad was last changed. Screen readers say the word, because they do not read the heading above. */
export function ChangeTime({ time }: RelativeTimeProps) {
  const { t } = useTranslation();
  if (time === 0) return null;
  return (
    <>
      <span className="visually-hidden">{t('folderView.changed')} </span>
      <RelativeTime time={time} />
    </>
  );
}
