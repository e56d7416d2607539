import { useState } from 'react';
import type { Pad, Person } from '../../../../api/answers';
import type { UserLists } from '../../../../api/userlist/schema';
import { limits } from '../../../../model/limits';
import { grantRoles } from '../../../../model/store/entities';
import { displayName } from '../../components/Avatar';
import { ChipInput, type Suggestion } from '../../components/ChipInput';
import { classNames } from '../../components/classNames';
import { Field } from '../../components/Field';
import { Select } from '../../components/Select';
import { UserListIcon } from '../../components/screenIcons';
import type { FormState } from '../../components/useForm';
import { useSettings } from '../../data/configuration';
import { useUserLists } from '../../data/userLists';
import { type Translate, useTranslation } from '../../texts/i18n';
import type { OpenFolder } from '../folders/FolderScreen';
import { entriesIn, type NamedList } from '../people/entries';
import { suggestionsOf, useKnownPeople } from '../people/useKnownPeople';
import {
  type AddedAs,
  isGrant,
  type NextRole,
  peopleIn,
  roleOf,
  takeEntries,
  takePadEntries,
} from './changes';
import { AddedHelp } from './Invitations';
import { PeopleRows } from './PeopleRows';
import styles from './Sharing.module.css';
import type { ShareValues } from './values';

export interface PeopleFieldsProps {
  folder: OpenFolder;
  pad: Pad | undefined;
  form: FormState<ShareValues>;
  /** The role of the people to add. */
  as: AddedAs;
  onAs: (as: AddedAs) => void;
  /** Entries that have no account. */
  absent: readonly string[];
  /** As in ChipInput. */
  onTyping: (typing: boolean) => void;
}

/** The people in a folder, whose roles can be changed or removed. */
export function PeopleRoles({ folder, form }: Pick<PeopleFieldsProps, 'folder' | 'form'>) {
  const { t } = useTranslation();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  const { group, people } = folder;
  const { roles } = form.values;
  const inside = peopleIn(group, people, signedInOnly);
  const nextRoleOf = ({ _id: id }: Person): NextRole => roles[id] ?? roleOf(group, id);
  const setRole = ({ _id: id }: Person, next: NextRole): void => {
    const { [id]: _before, ...others } = roles;
    form.set('roles', next === roleOf(group, id) ? others : { ...others, [id]: next });
  };
  const label = t('share.people', { name: group.name });
  const { id, error } = form.field('roles');
  const errorId = error && `${id}-error`;
  const choices: NextRole[] = signedInOnly
    ? ['admins', 'removed']
    : ['readers', 'users', 'admins', 'removed'];
  const options = choices.map((value) => ({ value, label: t(`share.role.${value}`) }));
  /** Below the role that a rule gives, a choice would have no effect. */
  const optionsOf = ({ _id: id }: Person): typeof options => {
    const least = options.findIndex(({ value }) => value === group.byRule?.[id]);
    return least === -1 ? options : options.slice(least).filter(({ value }) => value !== 'removed');
  };
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>{label}</h3>
      <PeopleRows
        id={id}
        describedBy={errorId}
        label={label}
        people={inside}
        leaves={(person) => roles[person._id] === 'removed'}
        note={({ _id: id }) => (group.byRule?.[id] === undefined ? undefined : t('share.byRule'))}
        role={(person) => (
          <div className={styles.choice}>
            <Select
              aria-label={t('share.role.of', { name: displayName(person) })}
              value={nextRoleOf(person)}
              options={optionsOf(person)}
              onChange={({ target }) => setRole(person, target.value as NextRole)}
            />
          </div>
        )}
      />
      {error !== undefined && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
    </section>
  );
}

/** Suggestions for lists; each adds its people as if they were typed. */
function listSuggestions(lists: UserLists | undefined, t: Translate): (Suggestion & NamedList)[] {
  return Object.entries(lists ?? {}).flatMap(([key, { name, users }]) => {
    const entries = users.map(({ login }) => login);
    const hint = t('people.count', { count: entries.length });
    const suggestion = { value: `list ${key}`, name, label: name, hint, entries, icon: <UserListIcon /> };
    return entries.length === 0 ? [] : [suggestion];
  });
}

const roleTexts = {
  reader: 'share.padReader.text',
  writer: 'share.padWriter.text',
  admins: 'peopleForm.share.text',
  users: 'peopleForm.invite.text',
  readers: 'peopleForm.read.text',
} as const;

/** Adds people to a folder. */
export function AddPeople({ folder, pad, form, as, onAs, absent, onTyping }: PeopleFieldsProps) {
  const { group, people } = folder;
  const { t, list } = useTranslation();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly, disableUserList } = useSettings();
  const known = useKnownPeople(people);
  const { data: lists } = useUserLists();
  const [already, setAlready] = useState<readonly Person[]>([]);
  const withLists = !disableUserList && !signedInOnly;
  const fromLists = withLists ? listSuggestions(lists, t) : [];
  const outside = isGrant(as) ? known : known.filter(({ _id }) => people[_id] === undefined);

  const take = (typed: string[]): void => {
    if (isGrant(as)) {
      const taken = takePadEntries(group, typed, as, people);
      form.set('entries', taken.entries);
      setAlready(taken.inside);
      return;
    }
    const taken = takeEntries(group, { entries: typed, roles: form.values.roles, as }, people);
    form.set('entries', [...taken.entries]);
    form.set('roles', taken.roles);
    setAlready(taken.inside);
  };
  const split = (text: string): string[] => entriesIn(text, known, fromLists);
  const names = list(already.map(displayName));
  return (
    <div className={styles.section}>
      <Field
        {...form.field('entries')}
        label={t('share.add')}
        optional="unsaid"
        help={
          <>
            {t(roleTexts[as])} {pad !== undefined && !isGrant(as) && t('share.add.pad')}{' '}
            <AddedHelp group={group._id} />
          </>
        }
      >
        <div className={classNames(styles.add, pad !== undefined && styles.toPad)}>
          <ChipInput
            onTyping={onTyping}
            value={form.values.entries}
            onChange={take}
            suggestions={[...fromLists, ...suggestionsOf(outside)]}
            split={split}
            takesFirst
            placeholder={t(withLists ? 'share.add.placeholder' : 'login.login')}
            check={(entry) => (absent.includes(entry) ? t('peopleForm.absent.entry') : undefined)}
            most={limits.people}
          />
          {!signedInOnly && (
            <RoleChoice pad={pad !== undefined} label={t('share.add.as')} value={as} onChange={onAs} />
          )}
        </div>
      </Field>
      <p role="status" className={styles.note}>
        {already.length > 0 && t('share.already', { count: already.length, names })}
      </p>
    </div>
  );
}

interface RoleChoiceProps {
  /** Whether a pad is shared: then people can get it alone. */
  pad: boolean;
  label: string;
  value: AddedAs;
  onChange: (role: AddedAs) => void;
}

function RoleChoice({ pad, label, value, onChange }: RoleChoiceProps) {
  const { t } = useTranslation();
  const inFolder = (['readers', 'users', 'admins'] as const).map((role) => ({
    value: role,
    label: t(pad ? `share.folderRole.${role}` : `share.role.${role}`),
  }));
  const alone = grantRoles.map((role) => ({ value: role, label: t(`share.padRole.${role}`) }));
  return (
    // Beside the input of the Field, so the Field's texts do not describe it.
    <Select
      id={undefined}
      aria-describedby={undefined}
      aria-label={label}
      value={value}
      options={pad ? [...alone, ...inFolder] : inFolder}
      onChange={({ target }) => onChange(target.value as AddedAs)}
    />
  );
}
