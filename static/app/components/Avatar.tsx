import type { Person } from '../../../api/wire';
import { useTranslation } from '../i18n';
import styles from './Avatar.module.css';
import { classNames } from './classNames';

/** What is known of somebody: a Person, or one's own account. */
export type Face = Pick<Person, 'login' | 'color' | 'firstname' | 'lastname'>;

/** First and last name where known, else the login. */
export function displayName(person: Face): string {
  return [person.firstname, person.lastname].filter(Boolean).join(' ') || person.login;
}

function initials(person: Face): string {
  const words = displayName(person)
    .split(/[\s._-]+/u)
    .filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  const text = letters.map((word) => [...(word ?? '')][0] ?? '').join('');
  return (text.length > 1 ? text : [...(words[0] ?? '?')].slice(0, 2).join('')).toUpperCase();
}

const grounds = ['#5456cf', '#1f7a6d', '#a8456b', '#8a5a00', '#3a6ea5', '#7a4fb0', '#4d7a2a', '#b0492f'];

/** People without a colour of their own keep the same one on every screen. */
function groundOf(person: Face): string {
  if (/^#[0-9a-f]{6}$/i.test(person.color)) return person.color;
  let sum = 0;
  for (const letter of person.login) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return grounds[sum % grounds.length] ?? '#5456cf';
}

/** Dark or light letters, whichever reads better on the ground (WCAG's relative luminance). */
function inkOn(ground: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(ground.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

export interface AvatarProps {
  person: Face;
  /** `small` (24 px) unless told; `medium` is 32 px. */
  size?: 'small' | 'medium';
}

/** Somebody's initials on their colour. Decoration: the name stands beside it or in its title. */
export function Avatar({ person, size = 'small' }: AvatarProps) {
  const ground = groundOf(person);
  return (
    <span
      aria-hidden="true"
      title={displayName(person)}
      className={classNames(styles.avatar, styles[size])}
      style={{ backgroundColor: ground, color: inkOn(ground) }}
    >
      {initials(person)}
    </span>
  );
}

export interface AvatarStackProps {
  people: readonly Face[];
  /** How many there are, when `people` holds only some. */
  total?: number;
  /** Faces shown before "+3"; 4 unless told. */
  most?: number;
}

/** A few faces and how many more; read aloud as the number of people. */
export function AvatarStack({ people, total = people.length, most = 4 }: AvatarStackProps) {
  const { t } = useTranslation();
  const shown = people.slice(0, total > most ? most - 1 : most);
  const names = people.slice(0, 12).map(displayName).join(', ');
  return (
    <span className={styles.stack} title={names}>
      <span className="visually-hidden">{t('people.count', { count: total })}</span>
      {shown.map((person) => (
        <Avatar key={person.login} person={person} />
      ))}
      {total > shown.length && (
        <span aria-hidden="true" className={classNames(styles.avatar, styles.small, styles.more)}>
          +{total - shown.length}
        </span>
      )}
    </span>
  );
}
