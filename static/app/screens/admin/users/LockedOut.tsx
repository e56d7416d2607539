import { useId } from 'react';
import type { AdminLock } from '../../../../../api/admin/schema';
import { dateFormatter } from '../../../../../model/dateFormat';
import { Button } from '../../../components/Button';
import { toasts, useErrorToast } from '../../../components/Toasts';
import { useLiftLimit, useLocks } from '../../../data/administration';
import { useIgnoreSecondPress } from '../../../lib/secondPress';
import { type TextKey, useTranslation } from '../../../texts/i18n';
import styles from './LockedOut.module.css';

/** What was tried, by the beginning of the limit's name. */
const kinds: readonly (readonly [string, TextKey])[] = [
  ['signIn', 'admin.locks.signIn'],
  ['adminSignIn', 'admin.locks.adminSignIn'],
  ['passwordProof', 'admin.locks.password'],
];

/** Who is locked out now because a limit was reached. Nothing if nobody is. */
export function LockedOut() {
  const { t } = useTranslation();
  const id = useId();
  const { data } = useLocks();
  if (data === undefined || data.count === 0) return null;
  return (
    <section aria-labelledby={id} className={styles.section}>
      <h2 id={id}>{t('admin.locks.title', { count: data.count })}</h2>
      <p className={styles.intro}>{t('admin.locks.intro')}</p>
      <ul className={styles.locks}>
        {data.locks.map((lock) => (
          <Lock key={lock.id} lock={lock} />
        ))}
      </ul>
      {data.count > data.locks.length && (
        <p className={styles.intro}>{t('remove.pads.more', { count: data.count - data.locks.length })}</p>
      )}
    </section>
  );
}

function Lock({ lock: { id, limit, address, object, knownBrowser, tries, until } }: { lock: AdminLock }) {
  const { t, language } = useTranslation();
  useIgnoreSecondPress();
  const lift = useLiftLimit();
  const showError = useErrorToast();
  const [, kind = 'admin.locks.other'] = kinds.find(([start]) => limit.startsWith(start)) ?? [];
  const name = (object === null ? address : object.name) ?? t('admin.log.unknown');
  const isToday = new Date(until).toDateString() === new Date().toDateString();
  // Some last a day, and the time alone would be one that has passed.
  const format = dateFormatter(language, { ...(!isToday && { dateStyle: 'medium' }), timeStyle: 'short' });
  const facts = [
    t(kind),
    knownBrowser ? t('admin.locks.browser') : name !== address && address,
    t('admin.locks.tries', { count: tries }),
    t('admin.locks.until', { time: format(until) }),
  ].filter((fact) => typeof fact === 'string');
  return (
    <li className={styles.lock}>
      <div className={styles.body}>
        <p className={styles.name}>
          <bdi>{name}</bdi>
        </p>
        <p className={styles.facts}>
          {facts.map((fact) => (
            <bdi key={fact}>{fact}</bdi>
          ))}
        </p>
      </div>
      <Button
        small
        busy={lift.isPending}
        aria-label={t('text.detail', { text: t('admin.locks.lift'), detail: name })}
        onClick={() =>
          lift.mutateAsync(id).then(() => toasts.success(t('admin.locks.lifted', { name })), showError)
        }
      >
        {t('admin.locks.lift')}
      </Button>
    </li>
  );
}
