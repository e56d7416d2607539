import type { Person } from '../../../api/answers';
import { fullName } from '../../../model/fullName';
import { useTranslation } from '../texts/i18n';
import styles from './Avatar.module.css';
import { classNames } from './classNames';

/** The fields of a person that an avatar needs. */
export type AvatarPerson = Pick<Person, 'login' | 'color' | 'firstname' | 'lastname'>;

/** The full name if known, otherwise the login. */
export function displayName(person: AvatarPerson): string {
  return fullName(person) || person.login;
}

function initials(person: AvatarPerson): string {
  const words = displayName(person)
    .split(/[\s._-]+/u)
    .filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  const text = letters.map((word) => [...(word ?? '')][0] ?? '').join('');
  return (text.length > 1 ? text : [...(words[0] ?? '?')].slice(0, 2).join('')).toUpperCase();
}

const grounds = ['#5456cf', '#1f7a6d', '#a8456b', '#8a5a00', '#3a6ea5', '#7a4fb0', '#4d7a2a', '#b0492f'];

/** People without a colour get one from their login, so that it is the same on every screen. */
function backgroundOf(person: AvatarPerson): string {
  if (/^#[0-9a-f]{6}$/i.test(person.color)) return person.color;
  let sum = 0;
  for (const letter of person.login) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return grounds[sum % grounds.length] ?? '#5456cf';
}

/** Dark or light text, whichever has more contrast on the background (relative luminance of WCAG). */
function textColorOn(background: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(background.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

export interface AvatarProps {
  person: AvatarPerson;
  /** `small` (the default) is 24 px, `medium` 32 px. */
  size?: 'small' | 'medium';
}

/**
 * A person's initials on their colour. Hidden from screen readers, because the name is always beside it or in its
 * title.
 */
export function Avatar({ person, size = 'small' }: AvatarProps) {
  const background = backgroundOf(person);
  return (
    <span
      aria-hidden="true"
      title={displayName(person)}
      className={classNames(styles.avatar, styles[size])}
      style={{ backgroundColor: background, color: textColorOn(background) }}
    >
      {initials(person)}
    </span>
  );
}

export interface AvatarStackProps {
  people: readonly AvatarPerson[];
  /** The total number of people, if `people` holds only some of them. */
  total?: number;
  /** Avatars shown before "+3"; 4 by default. */
  most?: number;
}

/** Some avatars and the number of further people. Screen readers get the total number. */
export function AvatarStack({ people, total = people.length, most = 4 }: AvatarStackProps) {
  const { t, list, digits } = useTranslation();
  const shown = people.slice(0, total > most ? most - 1 : most);
  const names = list(people.slice(0, 12).map(displayName));
  return (
    <span className={styles.stack} title={names}>
      <span className="visually-hidden">{t('people.count', { count: total })}</span>
      {shown.map((person) => (
        <Avatar key={person.login} person={person} />
      ))}
      {total > shown.length && (
        <span aria-hidden="true" className={classNames(styles.avatar, styles.small, styles.more)}>
          +{digits(total - shown.length)}
        </span>
      )}
    </span>
  );
}
