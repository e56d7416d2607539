import type { DayNumbers } from '../../../../../model/accounts/dailyNumbers';
import { ExpandIcon } from '../../../components/icons';
import { type TextKey, useTranslation } from '../../../i18n';
import { useDailyNumbers } from '../calls';
import settings from '../settings/Settings.module.css';
import { shapeOf } from './chart';
import styles from './Numbers.module.css';

type Field = Exclude<keyof DayNumbers, 'day'>;

const fields = [
  ['users', 'admin.numbers.users'],
  ['active', 'admin.numbers.active'],
  ['signedIn', 'admin.numbers.signedIn'],
  ['groups', 'admin.numbers.folders'],
  ['pads', 'admin.numbers.pads'],
] as const satisfies readonly (readonly [Field, TextKey])[];

/** Size of a chart in units of its view box, with a margin for the thickness of the line. */
const size = { width: 240, height: 56, margin: 4 };

function useFormats() {
  const { language } = useTranslation();
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const number = new Intl.NumberFormat(language);
  return {
    day: (day: string) => date.format(Date.parse(day)),
    count: (count: number) => number.format(count),
  };
}

/** The numbers of each day as small charts and as a table. Shows nothing while they are not known. */
export function OverTime() {
  const { t } = useTranslation();
  const { data } = useDailyNumbers();
  if (data === undefined) return null;
  return (
    <section className={styles.overTime} aria-labelledby="over-time">
      <h2 id="over-time">{t('admin.numbers.overTime')}</h2>
      {data.days.length < 2 ? (
        <p className={styles.label}>{t('admin.numbers.tooEarly')}</p>
      ) : (
        <>
          <ul className={styles.charts}>
            {fields.map(([field, label]) => (
              <li key={field}>
                <Chart days={data.days} field={field} label={t(label)} />
              </li>
            ))}
          </ul>
          <details>
            <summary className={settings.summary}>
              <ExpandIcon />
              {t('admin.numbers.table')}
            </summary>
            <Table days={data.days} />
          </details>
        </>
      )}
    </section>
  );
}

interface ChartProps {
  days: readonly DayNumbers[];
  field: Field;
  label: string;
}

function Chart({ days, field, label }: ChartProps) {
  const { t } = useTranslation();
  const format = useFormats();
  const { width, height, margin } = size;
  const points = days.flatMap(({ day, [field]: value }) => (value === null ? [] : [{ day, value }]));
  const shape = shapeOf(points, width, height);
  const [first, last] = [points[0], points.at(-1)];
  if (shape === undefined || first === undefined || last === undefined) {
    return (
      <figure className={styles.chart}>
        <figcaption>{label}</figcaption>
        <p className={styles.label}>{t('admin.numbers.tooEarly')}</p>
      </figure>
    );
  }
  const told = {
    from: format.day(first.day),
    to: format.day(last.day),
    first: format.count(first.value),
    last: format.count(last.value),
  };
  return (
    <figure className={styles.chart}>
      <figcaption>
        {label} <strong>{told.last}</strong>
      </figcaption>
      <svg
        role="img"
        aria-label={t('admin.numbers.chart', { label, ...told })}
        viewBox={`${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`}
      >
        <path d={shape.line} className={styles.line} />
        <circle cx={shape.last.x} cy={shape.last.y} r="3" className={styles.dot} />
      </svg>
      <p aria-hidden="true" className={styles.ends}>
        <span>
          {told.from}: {told.first}
        </span>
        <span>
          {format.count(shape.least)}–{format.count(shape.most)}
        </span>
      </p>
    </figure>
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
            {fields.map(([field, label]) => (
              <th key={field} scope="col">
                {t(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((row) => (
            <tr key={row.day}>
              <th scope="row">{format.day(row.day)}</th>
              {fields.map(([field]) => (
                <td key={field}>{row[field] === null ? '–' : format.count(row[field])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
