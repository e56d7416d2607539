import { Fragment, type ReactNode, useState } from 'react';
import type { Person } from '../../../../api/answers';
import { Avatar, displayName } from '../../components/Avatar';
import { Chip } from '../../components/Chip';
import { classNames } from '../../components/classNames';
import { useUser } from '../../data/configuration';
import { useTranslation } from '../../texts/i18n';
import styles from './Sharing.module.css';
import { ShowAll } from './ShowAll';

/** Rows before the button "Show all". On a phone the list does not scroll by itself, and who can open it is below. */
const shownAtFirst = (): number => (matchMedia('(width < 30rem)').matches ? 2 : 20);

export interface PeopleRowsProps {
  /** The label of the list, for screen readers. */
  label: string;
  id?: string;
  /** The id of an error message. */
  describedBy?: string | undefined;
  people: readonly Person[];
  /** At the end of a person's row: their role, or a field for it. */
  role: (person: Person) => ReactNode;
  /** More about a person. */
  note?: (person: Person) => string | undefined;
  /** Whether the person is about to be removed. */
  leaves?: (person: Person) => boolean;
}

/** People, as far as the viewer may see them, and their roles. */
export function PeopleRows({ label, id, describedBy, people, role, note, leaves }: PeopleRowsProps) {
  const [all, setAll] = useState(false);
  const [most] = useState(shownAtFirst);
  const shown = all || people.length <= most + 1 ? people : people.slice(0, most);
  return (
    <>
      <ul id={id} tabIndex={-1} aria-label={label} aria-describedby={describedBy} className={styles.people}>
        {shown.map((person) => (
          <li
            key={person._id}
            className={classNames(styles.person, leaves?.(person) === true && styles.leaves)}
          >
            <Who person={person} note={note?.(person)} />
            {role(person)}
          </li>
        ))}
      </ul>
      {shown.length < people.length && <ShowAll count={people.length} onShow={() => setAll(true)} />}
    </>
  );
}

/** Picture, name and address of a person. */
export function Who({ person, note }: { person: Person; note?: string | undefined }) {
  const { t } = useTranslation();
  const user = useUser();
  const name = displayName(person);
  const isSelf = person._id === user?._id;
  const login = name === person.login ? undefined : person.login;
  const more = [login, person.email, note].filter(Boolean);
  return (
    <>
      <span className={styles.face}>
        <Avatar person={person} size="medium" />
      </span>
      <div className={styles.who}>
        <p className={styles.name}>
          <span>{name}</span>
          {isSelf && (
            <span className={styles.chip}>
              <Chip>{t('folderView.people.you')}</Chip>
            </span>
          )}
        </p>
        {more.length > 0 && (
          <p className={styles.more} title={more.join(' · ')}>
            {isSelf && <span className={styles.self}>{t('folderView.people.you')} · </span>}
            {more.map((one, at) => (
              <Fragment key={one}>
                {at > 0 && ' · '}
                <bdi>{one}</bdi>
              </Fragment>
            ))}
          </p>
        )}
      </div>
    </>
  );
}
