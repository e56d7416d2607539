import type { Present } from '../../../../api/pad/schema';
import { Avatar, AvatarStack, displayName } from '../../components/Avatar';
import { Chip } from '../../components/Chip';
import { Dialog } from '../../components/Dialog';
import { keepsFocus } from '../../components/keepFocus';
import { LinkIcon, PresentIcon } from '../../components/screenIcons';
import { useUser } from '../../data/configuration';
import { usePresent } from '../../data/pads';
import { useTranslation } from '../../texts/i18n';
import styles from './PadView.module.css';

/** Members see only the logins of each other. The person's own name is the same on every screen. */
function usePeopleInPad(id: string): Present {
  const user = useUser();
  const { count, people, guests = [] }: Present = usePresent(id) ?? { count: 0, people: [] };
  const named = people.map((person) =>
    user && person._id === user._id
      ? { ...person, firstname: user.firstname, lastname: user.lastname }
      : person,
  );
  return { count, people: named, guests };
}

/**
 * Who has the pad open: avatars of the people whom the person may see, and the total number. Empty for a single person.
 */
export function PadPeople({ id, onOpen }: { id: string; onOpen: () => void }) {
  const { t, digits } = useTranslation();
  const { count, people } = usePeopleInPad(id);
  if (count < 2) return null;
  const text = t('present.count', { count });
  return (
    <button
      ref={keepsFocus}
      type="button"
      aria-haspopup="dialog"
      title={text}
      className={styles.present}
      onClick={onOpen}
    >
      <span className="visually-hidden">{text}</span>
      {people.length > 0 && (
        <span aria-hidden="true" className={styles.faces}>
          <AvatarStack people={people} total={count} />
        </span>
      )}
      <span aria-hidden="true" className={styles.count}>
        <PresentIcon />
        {digits(count)}
      </span>
    </button>
  );
}

/** The people who have the pad open, by name as far as the person may see them. */
export function PeopleInPad({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const user = useUser();
  const { count, people, guests = [] } = usePeopleInPad(id);
  const others = count - people.length - guests.length;
  const textOf = ({ name, link }: (typeof guests)[number]): string =>
    link === '' ? t('present.byAnyLink', { name }) : t('present.byLink', { name, link });
  return (
    <Dialog title={t('present.title')} onClose={onClose}>
      {people.length + guests.length > 0 && (
        <ul className={styles.people}>
          {people.map((person) => (
            <li key={person._id} className={styles.person}>
              <Avatar person={person} size="medium" />
              <span className={styles.personName}>{displayName(person)}</span>
              {person._id === user?._id && <Chip>{t('folderView.people.you')}</Chip>}
            </li>
          ))}
          {[...new Set(guests.map(textOf))].map((text) => (
            <li key={text} className={styles.person}>
              <LinkIcon />
              <span className={styles.personName}>{text}</span>
            </li>
          ))}
        </ul>
      )}
      {others > 0 && (
        <>
          <p>{t(others === count ? 'present.count' : 'present.others', { count: others })}</p>
          <p className="muted">{t('present.unnamed')}</p>
        </>
      )}
    </Dialog>
  );
}
