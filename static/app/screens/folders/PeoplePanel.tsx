import { type ReactNode, useState } from 'react';
import type { Group, Person } from '../../../../api/answers';
import { Avatar, displayName } from '../../components/Avatar';
import { IconButton } from '../../components/Button';
import { Chip } from '../../components/Chip';
import { EditIcon } from '../../components/screenIcons';
import { usePrinting } from '../../components/usePrinting';
import { useSettings, useUser } from '../../data/configuration';
import { useTranslation } from '../../texts/i18n';
import type { Role } from '../sharing/changes';
import { ShowAll } from '../sharing/ShowAll';
import styles from './FolderView.module.css';

export interface PeoplePanelProps {
  group: Group;
  people: Record<string, Person>;
  /** Opens the share dialog, where this role is preselected. */
  onShare: (as: Role) => void;
}

/** The administrators and users of a folder, as far as the visitor may see them. */
export function PeoplePanel({ group, people, onShare }: PeoplePanelProps) {
  const { t } = useTranslation();
  const signedInOnly = useSettings().allPadsPublicsAuthentifiedOnly;
  const { abilities, readers } = group;
  const lists = [
    { role: 'admins', title: t('folderView.admins'), edit: abilities.share && t('folderView.share') },
    { role: 'users', title: t('folderView.users'), edit: abilities.invite && t('folderView.invite.manage') },
    { role: 'readers', title: t('folderView.readers'), edit: false },
  ] as const;
  const shown = lists.filter(
    ({ role }) => role === 'admins' || (!signedInOnly && (role === 'users' || readers.length > 0)),
  );
  return (
    <aside aria-label={t('folderView.people')} className={styles.people}>
      {!abilities.seePeople && <p className={styles.unseen}>{t('folderView.people.guest')}</p>}
      {abilities.seePeople &&
        shown.map(({ role, title, edit }) => (
          <PeopleList key={role} title={title} people={group[role].flatMap((id) => people[id] ?? [])}>
            {edit && <IconButton small icon={<EditIcon />} label={edit} onClick={() => onShare(role)} />}
          </PeopleList>
        ))}
    </aside>
  );
}

const facesShown = 8;

interface PeopleListProps {
  title: string;
  people: Person[];
  /** The button beside the title. */
  children: ReactNode;
}

function PeopleList({ title, people, children }: PeopleListProps) {
  const { t, digits } = useTranslation();
  const [wanted, setAll] = useState(false);
  const all = usePrinting() || wanted;
  const shown = all || people.length <= facesShown + 1 ? people : people.slice(0, facesShown);
  return (
    <section className={styles.panel}>
      <header className={styles.panelHeader}>
        <h2>
          {title} <span className={styles.number}>{digits(people.length)}</span>
        </h2>
        {children}
      </header>
      {people.length === 0 && <p className={styles.unseen}>{t('userLists.nobody')}</p>}
      <ul tabIndex={-1} aria-label={title}>
        {shown.map((person) => (
          <OnePerson key={person._id} person={person} />
        ))}
      </ul>
      {shown.length < people.length && <ShowAll count={people.length} onShow={() => setAll(true)} />}
    </section>
  );
}

function OnePerson({ person }: { person: Person }) {
  const { t } = useTranslation();
  const user = useUser();
  const name = displayName(person);
  const more = [name === person.login ? undefined : person.login, person.email].filter(Boolean);
  return (
    <li className={styles.person}>
      <Avatar person={person} size="medium" />
      <div className={styles.who}>
        <p className={styles.whoName}>
          <span>{name}</span>
          {person._id === user?._id && <Chip>{t('folderView.people.you')}</Chip>}
        </p>
        {more.map((fact) => (
          <p key={fact} className={styles.whoMore} title={fact}>
            {fact}
          </p>
        ))}
      </div>
    </li>
  );
}
