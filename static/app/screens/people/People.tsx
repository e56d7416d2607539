import { useMemo, useState } from 'react';
import type { InviteAnswer, Person } from '../../../../api/wire';
import { limits } from '../../../../model/limits';
import { displayName } from '../../components/Avatar';
import { Button, LinkButton } from '../../components/Button';
import { ChipInput, type Suggestion } from '../../components/ChipInput';
import { ConfirmDialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { WarningIcon } from '../../components/icons';
import { toasts } from '../../components/Toasts';
import { useForm } from '../../components/useForm';
import { useInvite } from '../../data/mutations';
import { useGroups, useSettings, useUser } from '../../data/queries';
import { useTranslation } from '../../i18n';
import { Link, navigate } from '../../location';
import { places } from '../../places';
import { FolderScreen, type OpenFolder } from '../folderView/FolderScreen';
import styles from './People.module.css';
import { type Changes, changesOf, type Role } from './roster';

/** Who uses a folder (`invite`), or who administers it (any other action). */
export function People({ group: id, action }: { group: string; action: string }) {
  const { t } = useTranslation();
  const role: Role = action === 'invite' ? 'users' : 'admins';
  return (
    <FolderScreen
      key={`${id} ${role}`}
      id={id}
      title={t(role === 'users' ? 'peopleForm.invite.title' : 'peopleForm.share.title')}
      needs={(group) => (role === 'users' ? group.abilities.invite : group.abilities.share)}
      intro={() => t(role === 'users' ? 'peopleForm.invite.text' : 'peopleForm.share.text')}
    >
      {(folder) => <PeopleOfRole folder={folder} role={role} />}
    </FolderScreen>
  );
}

/** Starts over with what was saved when some entries were known to nobody. */
function PeopleOfRole({ folder, role }: { folder: OpenFolder; role: Role }) {
  const { t } = useTranslation();
  const signedInOnly = useSettings().allPadsPublicsAuthentifiedOnly;
  const [round, setRound] = useState<{ number: number; absent: readonly string[] }>({
    number: 0,
    absent: [],
  });
  const { group } = folder;
  const saved = ({ absent }: InviteAnswer): void => {
    if (absent.length > 0) {
      setRound({ number: round.number + 1, absent });
      return;
    }
    navigate(places.folder(folder.id), { replace: true });
    toasts.success(t('peopleForm.saved', { name: group.name }));
  };
  return (
    <>
      {!signedInOnly && <RoleTabs id={folder.id} role={role} />}
      <PeopleForm key={round.number} folder={folder} role={role} absent={round.absent} onSaved={saved} />
    </>
  );
}

function RoleTabs({ id, role }: { id: string; role: Role }) {
  const { t } = useTranslation();
  const tab = (to: Role, action: 'invite' | 'share', label: string) => (
    <Link
      href={places.people(id, action)}
      className={styles.tab}
      aria-current={to === role ? 'page' : undefined}
    >
      {label}
    </Link>
  );
  return (
    <nav aria-label={t('folderView.people')} className={styles.tabs}>
      {tab('users', 'invite', t('peopleForm.invite.tab'))}
      {tab('admins', 'share', t('peopleForm.share.tab'))}
    </nav>
  );
}

/** Everybody whom the person may know, from all own folders and this one. */
function useKnownPeople(folder: OpenFolder): Person[] {
  const { data } = useGroups();
  return useMemo(
    () =>
      Object.values({ ...data?.users, ...folder.people }).sort((left, right) =>
        left.login.localeCompare(right.login),
      ),
    [data, folder.people],
  );
}

/** A chip and a suggestion for somebody under each of the two ways to name them. */
function suggestionsOf(people: readonly Person[]): Suggestion[] {
  return people.flatMap((person) => {
    const label = displayName(person);
    const byLogin = {
      value: person.login,
      label,
      person,
      hint: label === person.login ? person.email : `${person.login} ${person.email ?? ''}`,
    };
    return [byLogin];
  });
}

/** Asked while the form is being sent: what the person does to himself. */
interface Warning {
  self: 'removed' | 'demoted';
  answer: (agreed: boolean) => void;
}

interface PeopleFormProps {
  folder: OpenFolder;
  role: Role;
  /** Entries of the last try that nobody answers to. */
  absent: readonly string[];
  onSaved: (answer: InviteAnswer) => void;
}

function PeopleForm({ folder, role, absent, onSaved }: PeopleFormProps) {
  const { t } = useTranslation();
  const user = useUser();
  const people = useKnownPeople(folder);
  const invite = useInvite(folder.id);
  const { group } = folder;
  const [warning, setWarning] = useState<Warning | null>(null);
  const current = group[role].flatMap((id) => folder.people[id]?.login ?? []);
  const changes = (entries: readonly string[]): Changes =>
    changesOf(group, role, entries, people, displayName, user?._id);

  const send = async (entries: readonly string[]): Promise<void> => {
    const answer = await invite.mutateAsync({ as: role, loginsOrEmails: [...entries] });
    const gone = user !== undefined && ![...answer.value.users, ...answer.value.admins].includes(user._id);
    const mayStay = role === 'users' ? answer.value.abilities.invite : answer.value.abilities.share;
    if (gone) navigate(places.folders, { replace: true });
    else if (!mayStay) navigate(places.folder(folder.id), { replace: true });
    else return onSaved(answer);
    toasts.success(t('peopleForm.saved', { name: group.name }));
  };

  const agrees = async (self: Warning['self']): Promise<boolean> => {
    const answer = await new Promise<boolean>((resolve) => setWarning({ self, answer: resolve }));
    setWarning(null);
    return answer;
  };

  const form = useForm({
    initial: { people: [...current, ...absent] },
    check: (values) => ({ people: changes(values.people).noAdmin ? t('peopleForm.lastAdmin') : undefined }),
    submit: async (values) => {
      const { self } = changes(values.people);
      if (self === null || (await agrees(self))) await send(values.people);
    },
  });

  const entries = form.values.people;
  const now = changes(entries);
  return (
    <Form form={form}>
      {absent.length > 0 && <Absent count={absent.length} />}
      <Field
        {...form.field('people')}
        label={t(role === 'users' ? 'peopleForm.users' : 'peopleForm.admins')}
        help={
          <>
            {t('peopleForm.help')} {t('peopleForm.noMail')}
          </>
        }
      >
        <ChipInput
          value={entries}
          onChange={(value) => form.set('people', value)}
          suggestions={suggestionsOf(people)}
          check={(entry) => (absent.includes(entry) ? t('peopleForm.absent.entry') : undefined)}
          most={limits.people}
        />
      </Field>
      <Summary
        changes={{ ...now, asked: now.asked.filter((entry) => !absent.includes(entry)) }}
        role={role}
      />
      <FormActions>
        <Button kind="primary" type="submit" busy={form.busy}>
          {t(role === 'users' ? 'peopleForm.invite.submit' : 'peopleForm.share.submit')}
        </Button>
        <LinkButton href={places.folder(folder.id)}>
          {absent.length > 0 ? t('peopleForm.toFolder') : t('action.cancel')}
        </LinkButton>
      </FormActions>
      {warning !== null && (
        <ConfirmDialog
          danger
          title={t(`peopleForm.self.${warning.self}.title`)}
          action={t('peopleForm.self.submit')}
          onClose={() => warning.answer(false)}
          onConfirm={() => warning.answer(true)}
        >
          <p>{t(`peopleForm.self.${warning.self}.text`, { name: group.name })}</p>
        </ConfirmDialog>
      )}
    </Form>
  );
}

function Absent({ count }: { count: number }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className={styles.absent}>
      <WarningIcon />
      <div>
        <p className={styles.absentTitle}>{t('peopleForm.absent.title', { count })}</p>
        <p>{t('peopleForm.absent.text')}</p>
      </div>
    </div>
  );
}

/** What saving changes, in words, before it is saved. */
function Summary({ changes: { added, asked, removed, moved }, role }: { changes: Changes; role: Role }) {
  const { t, language } = useTranslation();
  const list = useMemo(() => new Intl.ListFormat(language, { type: 'conjunction' }), [language]);
  const lines = [
    added.length > 0 && t('peopleForm.added', { names: list.format(added) }),
    asked.length > 0 && t('peopleForm.asked', { names: list.format(asked) }),
    moved.length > 0 &&
      t(role === 'users' ? 'peopleForm.toUsers' : 'peopleForm.toAdmins', { names: list.format(moved) }),
    removed.length > 0 && t('peopleForm.removed', { names: list.format(removed) }),
  ].filter((line) => line !== false);
  return (
    <section aria-label={t('peopleForm.summary')} className={styles.summary}>
      <h2>{t('peopleForm.summary')}</h2>
      {lines.length === 0 ? (
        <p>{t('peopleForm.unchanged')}</p>
      ) : (
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
