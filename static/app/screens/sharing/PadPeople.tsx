import type { Person } from '../../../../api/answers';
import { displayName } from '../../components/Avatar';
import { Select } from '../../components/Select';
import type { FormState } from '../../components/useForm';
import { useTranslation } from '../../texts/i18n';
import type { NextPadRole, PadPeople } from './changes';
import { PeopleRows } from './PeopleRows';
import styles from './Sharing.module.css';
import type { ShareValues } from './values';

export interface PadPeopleRolesProps {
  shared: PadPeople;
  form: FormState<ShareValues>;
}

/** The people with whom the pad alone is shared, whose roles can be changed or removed. */
export function PadPeopleRoles({ shared: { roles, people }, form }: PadPeopleRolesProps) {
  const { t } = useTranslation();
  const { padRoles } = form.values;
  const nextOf = ({ _id: id }: Person): NextPadRole | undefined => padRoles[id] ?? roles[id];
  const set = ({ _id: id }: Person, next: NextPadRole): void => {
    const { [id]: _before, ...others } = padRoles;
    form.set('padRoles', next === roles[id] ? others : { ...others, [id]: next });
  };
  if (people.length === 0) return null;
  const options: { value: NextPadRole; label: string }[] = [
    { value: 'reader', label: t('share.role.readers') },
    { value: 'writer', label: t('share.role.users') },
    { value: 'removed', label: t('share.role.removed') },
  ];
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>{t('share.padPeople')}</h3>
      <PeopleRows
        label={t('share.padPeople')}
        people={people}
        leaves={({ _id: id }) => padRoles[id] === 'removed'}
        role={(person) => (
          <div className={styles.choice}>
            <Select
              aria-label={t('share.role.of', { name: displayName(person) })}
              value={nextOf(person)}
              options={options}
              onChange={({ target }) => set(person, target.value as NextPadRole)}
            />
          </div>
        )}
      />
    </section>
  );
}
