import { useState } from 'react';
import type { ListedPerson, UserListChange, UserListSavedAnswer } from '../../../../api/userlist/schema';
import { limits } from '../../../../model/limits';
import { LinkButton } from '../../components/Button';
import { ChipInput } from '../../components/ChipInput';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { NothingFoundIcon } from '../../components/icons';
import { Page } from '../../components/Page';
import { EmptyState, Loading, SkeletonRows } from '../../components/States';
import { TextInput } from '../../components/TextInput';
import { toasts } from '../../components/Toasts';
import { useForm } from '../../components/useForm';
import { useSettings } from '../../data/configuration';
import { useSaveUserList, useUserLists } from '../../data/userLists';
import { changedFields } from '../../forms/changedFields';
import { paths } from '../../navigation/paths';
import { useNavigate } from '../../navigation/useNavigate';
import { useTranslation } from '../../texts/i18n';
import { Absent } from '../people/Absent';
import { entriesIn } from '../people/entries';
import { suggestionsOf, useKnownPeople } from '../people/useKnownPeople';
import { NoUserLists } from './NoUserLists';

/** Form that changes a list of people, or creates one if `list` (its id) is missing. */
export function EditUserList(props: { list?: string }) {
  return useSettings().disableUserList ? <NoUserLists /> : <OneList {...props} />;
}

function OneList({ list }: { list?: string }) {
  const { t } = useTranslation();
  const query = useUserLists();
  const { data } = query;
  const content = () => {
    if (data === undefined) {
      return (
        <Loading query={query} failed={t('userLists.failed')}>
          <SkeletonRows rows={2} />
        </Loading>
      );
    }
    const stored = list === undefined ? undefined : data[list];
    if (list === undefined) return <Rounds name="" users={[]} />;
    if (stored !== undefined) {
      return <Rounds list={list} name={stored.name} users={stored.users} />;
    }
    return (
      <EmptyState
        icon={<NothingFoundIcon />}
        title={t('userLists.missing')}
        action={<LinkButton href={paths.userLists}>{t('userLists.back')}</LinkButton>}
      />
    );
  };
  return (
    <Page
      title={list === undefined ? t('userLists.add.title') : t('userLists.edit.title')}
      parent={list === undefined ? undefined : data?.[list]?.name}
      breadcrumb={[{ label: t('userLists.title'), href: paths.userLists }]}
      width="form"
    >
      {content()}
    </Page>
  );
}

/**
 * What to send for a person: the e-mail address if the owner typed it, because addresses that are not sent are removed.
 */
function entryOf({ login, email, firstname }: ListedPerson): string {
  return firstname === undefined ? (email ?? login) : login;
}

interface RoundProps {
  /** The id of the list; missing until it is created. */
  list?: string;
  name: string;
  users: readonly ListedPerson[];
  /** Entries of the last attempt without an account. */
  absent?: readonly string[];
}

/** If some entries had no account, the form starts again with the saved list. */
function Rounds(start: RoundProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [round, setRound] = useState<RoundProps & { number: number }>({ ...start, number: 0 });
  const saved = ({ key, value, absent }: UserListSavedAnswer): void => {
    const { name = '', users = [] } = value[key] ?? {};
    if (absent.length > 0) {
      setRound({ list: key, name, users, absent, number: round.number + 1 });
      return;
    }
    navigate(paths.userLists, { replace: true });
    toasts.success(t('userLists.saved', { name }));
  };
  return <UserListForm key={round.number} {...round} onSaved={saved} />;
}

function UserListForm(props: RoundProps & { onSaved: (answer: UserListSavedAnswer) => void }) {
  const { list, name, users, absent = [], onSaved } = props;
  const { t } = useTranslation();
  const save = useSaveUserList();
  const people = useKnownPeople();
  const form = useForm({
    initial: { name, people: [...users.map(entryOf), ...absent] },
    check: (values) => ({ name: values.name.trim() === '' ? t('userLists.name.required') : undefined }),
    submit: async (values) => {
      const input = { name: values.name.trim(), loginsOrEmails: values.people };
      // What was not changed here may have been changed in another window.
      const changed = { ...changedFields<UserListChange>({ name }, input), was: users.map(({ _id }) => _id) };
      onSaved(await save.mutateAsync(list === undefined ? input : { ...changed, key: list }));
    },
  });
  return (
    <Form form={form}>
      {absent.length > 0 && <Absent count={absent.length} />}
      <Field
        {...form.field('name')}
        label={t('userLists.name')}
        help={t('folderForm.name.help', { most: limits.name })}
      >
        <TextInput
          {...form.text('name')}
          maxLength={limits.name}
          autoFocus={list === undefined}
          autoComplete="off"
        />
      </Field>
      <Field {...form.field('people')} label={t('userLists.people')} help={t('peopleForm.help')} optional>
        <ChipInput
          value={form.values.people}
          onChange={(value) => form.set('people', value)}
          suggestions={suggestionsOf(people)}
          split={(text) => entriesIn(text, people)}
          takesFirst
          check={(entry) => (absent.includes(entry) ? t('peopleForm.absent.entry') : undefined)}
          most={limits.people}
        />
      </Field>
      <FormActions
        form={form}
        submit={list === undefined ? t('userLists.create') : t('userLists.save')}
        cancel={paths.userLists}
      />
    </Form>
  );
}
