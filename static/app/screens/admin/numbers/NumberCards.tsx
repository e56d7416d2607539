import type { DayNumbers } from '../../../../../model/accounts/dailyNumbers';
import { dateFormatter } from '../../../../../model/dateFormat';
import { Disclosure } from '../../../components/Disclosure';
import type { Numbers } from '../../../data/administration';
import { Link, withParameters } from '../../../navigation/location';
import { type TextKey, useTranslation } from '../../../texts/i18n';
import { adminPaths } from '../adminPaths';
import { type Point, shapeOf } from './chart';
import styles from './Numbers.module.css';

type Field = Exclude<keyof DayNumbers, 'day'>;

const labels = {
  users: 'admin.numbers.users',
  active: 'admin.numbers.active',
  signedIn: 'admin.numbers.signedIn',
  groups: 'admin.numbers.folders',
  pads: 'admin.numbers.pads',
} as const satisfies Record<Field, TextKey>;
const fields = Object.keys(labels) as Field[];

/** For each number, the path of the list of what it counts. */
const lists: { readonly [field in Field]?: string } = {
  users: adminPaths.users,
  active: withParameters(adminPaths.users, { state: 'active' }),
  groups: adminPaths.folders,
  pads: adminPaths.pads,
};

/** Size of a chart in units of its view box, with a margin for the thickness of the line. */
const size = { width: 240, height: 56, margin: 4 };

function useFormats() {
  const { language } = useTranslation();
  const date = dateFormatter(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const number = new Intl.NumberFormat(language);
  return {
    day: (day: string) => date(Date.parse(day)),
    count: (count: number) => number.format(count),
  };
}

interface NumberCardsProps {
  /** The current numbers. */
  numbers: Numbers;
  days: readonly DayNumbers[];
}

/** Each number with its chart and a link to its list; below, the numbers of each day as a table. */
export function NumberCards({ numbers, days }: NumberCardsProps) {
  const { t } = useTranslation();
  // It is counted a moment after the others. Until then, that of the day before is shown.
  const signedIn = days.findLast((day) => day.signedIn !== null)?.signedIn;
  const now: Record<Field, number | null | undefined> = { ...numbers, signedIn };
  return (
    <>
      <ul className={styles.cards}>
        {fields.map((field) => {
          const count = now[field] ?? undefined;
          return count === undefined ? null : <Card key={field} field={field} count={count} days={days} />;
        })}
      </ul>
      {days.length < 2 ? (
        <p className={styles.note}>{t('admin.numbers.tooEarly')}</p>
      ) : (
        <Disclosure className={styles.details} summary={t('admin.numbers.table')}>
          <Table days={days} />
        </Disclosure>
      )}
    </>
  );
}

interface CardProps {
  field: Field;
  count: number;
  days: readonly DayNumbers[];
}

function Card({ field, count, days }: CardProps) {
  const { t } = useTranslation();
  const format = useFormats();
  const label = t(labels[field]);
  const list = lists[field];
  const points = days.flatMap(({ day, [field]: value }) => (value === null ? [] : [{ day, value }]));
  return (
    <li className={styles.card}>
      {list === undefined ? (
        <span className={styles.label}>{label}</span>
      ) : (
        <Link href={list} className={styles.label}>
          {label}
        </Link>
      )}
      <span className={styles.number}>{format.count(count)}</span>
      <Chart points={points} label={label} />
    </li>
  );
}

function Chart({ points, label }: { points: readonly Point[]; label: string }) {
  const { t } = useTranslation();
  const format = useFormats();
  const { width, height, margin } = size;
  const shape = shapeOf(points, width, height);
  const [first, last] = [points[0], points.at(-1)];
  if (shape === undefined || first === undefined || last === undefined) return null;
  const told = {
    from: format.day(first.day),
    to: format.day(last.day),
    first: format.count(first.value),
    last: format.count(last.value),
  };
  return (
    <>
      <svg
        role="img"
        aria-label={t('admin.numbers.chart', { label, ...told })}
        viewBox={`${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`}
      >
        <path d={shape.line} className={styles.line} />
        <circle cx={shape.last.x} cy={shape.last.y} r="3" className={styles.dot} />
      </svg>
      <p aria-hidden="true" className={styles.since}>
        {t('text.detail', { text: told.from, detail: told.first })}
      </p>
    </>
  );
}

/** The same numbers as a table, newest first. */
function Table({ days }: { days: readonly DayNumbers[] }) {
  const { t } = useTranslation();
  const format = useFormats();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it
    <section className={styles.scroll} tabIndex={0} aria-label={t('admin.numbers.table')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('admin.numbers.day')}</th>
            {fields.map((field) => (
              <th key={field} scope="col">
                {t(labels[field])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((row) => (
            <tr key={row.day}>
              <th scope="row">{format.day(row.day)}</th>
              {fields.map((field) => (
                <td key={field}>{row[field] === null ? '–' : format.count(row[field])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
