import { useState } from 'react';
import { type AccountSorting, accountSortings } from '../../../../../model/sortings';
import { LinkButton } from '../../../components/Button';
import { ChipButton } from '../../../components/Chip';
import { FilterBar, SearchField } from '../../../components/Filters';
import { Page } from '../../../components/Page';
import { RowHeadings } from '../../../components/Rows';
import { EmptyState } from '../../../components/States';
import { AddIcon, RestrictedIcon } from '../../../components/screenIcons';
import { useAdminUsers } from '../../../data/administration';
import { useSettings } from '../../../data/configuration';
import { navigate, useQueryParams } from '../../../navigation/location';
import { useTranslation } from '../../../texts/i18n';
import { adminPaths } from '../adminPaths';
import { DocsIntro } from '../DocsLink';
import { AdminList, usePageQuery } from '../lists/AdminList';
import { ListSortMenu } from '../lists/ListSortMenu';
import { type ListSorting, useSorting } from '../lists/useSorting';
import type { ListedUser } from './asked';
import { LockedOut } from './LockedOut';
import { RemoveUserAt } from './RemoveUser';
import { UserRow, useFactorRule, userColumns } from './UserRow';
import { useUserQuestions } from './useUserQuestions';

/** Filters by the state of the account, as the server names them. */
const states = {
  active: { active: true },
  closed: { closed: true },
  unconfirmed: { unconfirmed: true },
  addressTaken: { addressTaken: true },
  noFactor: { active: true, external: false, secondFactor: false },
} as const;
type State = keyof typeof states;
const stateNames = Object.keys(states) as State[];

function isState(value: string | null): value is State {
  return value !== null && Object.hasOwn(states, value);
}

/** The path of an account: its login, or its id if another account of an old database has the same login. */
function nameOf(user: ListedUser, all: readonly ListedUser[]): string {
  return all.some(({ _id, login }) => login === user.login && _id !== user._id) ? user._id : user.login;
}

/** Without a second step: those who must have one, if that is managers of folders. */
function useFilter(state: State | undefined) {
  const managersMust = useFactorRule() === 'managers';
  return state && { ...states[state], ...(state === 'noFactor' && managersMust && { manager: true }) };
}

/** All accounts. `remove`: the login of the account that the question to remove is about. */
export function Users({ remove }: { remove?: string }) {
  const { t } = useTranslation();
  const { storesPasswords } = useSettings();
  const [parameters, set] = useQueryParams();
  const chosen = parameters.get('state');
  const state = isState(chosen) ? chosen : undefined;
  const text = parameters.get('q') || undefined;
  const sorting = useSorting(accountSortings);
  const answer = useAdminUsers({ text, ...useFilter(state), ...sorting.query, ...usePageQuery() });
  const fields = { login: t('account.login'), created: t('admin.users.created.column') };
  const { questions, dialog } = useUserQuestions();
  const [asking, setAsking] = useState(remove);
  const clear = { q: null, state: null, page: null };
  const create = storesPasswords && (
    <LinkButton kind="primary" icon={<AddIcon />} href={adminPaths.addUser}>
      {t('admin.users.add')}
    </LinkButton>
  );
  const users = answer.data?.users;
  const filtered = text !== undefined || state !== undefined;
  return (
    <Page title={t('admin.users.title')} intro={storesPasswords && <Intro />} action={create}>
      <LockedOut />
      <FilterBar
        search={
          <SearchField
            label={t('admin.users.search')}
            value={text ?? ''}
            onChange={(q) => set({ q, page: null })}
          />
        }
        tools={<ListSortMenu sorting={sorting} fields={fields} />}
        count={answer.data && t('admin.users.count', { count: answer.data.count })}
        filtered={state !== undefined}
        onClear={filtered && answer.data?.count !== 0 ? () => set(clear) : undefined}
      >
        {stateNames
          .filter((one) => storesPasswords || one !== 'noFactor')
          .map((one) => (
            <ChipButton
              key={one}
              pressed={state === one}
              onPress={() => set({ state: state === one ? null : one, page: null })}
            >
              {t(`admin.users.state.${one}`)}
            </ChipButton>
          ))}
      </FilterBar>
      <AdminList
        label={t('admin.users.title')}
        failed={t('admin.users.failed')}
        query={answer}
        headings={<Headings sorting={sorting} fields={fields} />}
        rows={users?.map((user) => (
          <UserRow key={user._id} user={user} name={nameOf(user, users)} ask={questions} />
        ))}
        filtered={filtered}
        onClear={() => set(clear)}
        empty={
          <EmptyState icon={<RestrictedIcon />} title={t('admin.users.empty')} action={create}>
            {t('admin.users.empty.text')}
          </EmptyState>
        }
      />
      {dialog}
      {asking !== undefined && (
        <RemoveUserAt
          login={asking}
          onClose={() => {
            setAsking(undefined);
            navigate(adminPaths.users, { replace: true });
          }}
        />
      )}
    </Page>
  );
}

function Intro() {
  const { t } = useTranslation();
  const page = 'administrators#import-a-school';
  return <DocsIntro text={t('admin.users.intro')} page={page} about={t('admin.users.title')} />;
}

interface HeadingsProps {
  sorting: ListSorting<AccountSorting>;
  fields: { readonly [field in AccountSorting]: string };
}

function Headings({ sorting, fields }: HeadingsProps) {
  const { t } = useTranslation();
  return (
    <RowHeadings<AccountSorting>
      {...sorting}
      withoutStar
      headings={[
        { key: 'name', label: t('folders.sort.name') },
        { label: fields.login, field: 'login', ...userColumns.login },
        { label: t('account.email'), ...userColumns.email },
        { label: fields.created, field: 'created', descendingFirst: true, ...userColumns.time },
      ]}
    />
  );
}
