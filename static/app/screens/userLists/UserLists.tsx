import { useState } from 'react';
import type { UserLists as Lists } from '../../../../api/userlist/schema';
import { AvatarStack } from '../../components/Avatar';
import { LinkButton } from '../../components/Button';
import { ConfirmDialog } from '../../components/ConfirmDialog';
import { Menu } from '../../components/Menu';
import { Page } from '../../components/Page';
import { Row, Rows } from '../../components/Rows';
import { EmptyState, Loading, SkeletonRows } from '../../components/States';
import { AddIcon, EditIcon, RemoveIcon, UserListIcon } from '../../components/screenIcons';
import { useSettings } from '../../data/configuration';
import { useRemoveUserList, useUserLists } from '../../data/userLists';
import { navigate } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { useKnownPeople } from '../people/useKnownPeople';
import { useMissing } from '../removal/useMissing';
import { NoUserLists } from './NoUserLists';

/** The person's lists of people. `remove`: the list that a link asks to remove. */
export function UserLists(props: { remove?: string }) {
  return useSettings().disableUserList ? <NoUserLists /> : <OwnLists {...props} />;
}

function OwnLists({ remove }: { remove?: string }) {
  const { t } = useTranslation();
  const query = useUserLists();
  const { data } = query;
  const some = data !== undefined && Object.keys(data).length > 0;
  return (
    <Page
      title={t('userLists.title')}
      intro={t('userLists.intro')}
      action={
        some && (
          <LinkButton kind="primary" icon={<AddIcon />} href={paths.addUserList}>
            {t('userLists.add')}
          </LinkButton>
        )
      }
    >
      {data !== undefined && <Loaded lists={data} remove={remove} />}
      <Loading query={query} failed={t('userLists.failed')}>
        <SkeletonRows height={52} rows={4} />
      </Loading>
    </Page>
  );
}

function Loaded({ lists, remove }: { lists: Lists; remove: string | undefined }) {
  const { t, language } = useTranslation();
  const known = useKnownPeople();
  const [removing, setRemoving] = useState(remove);
  const people = new Map(known.map((person) => [person._id, person]));
  const sorted = Object.entries(lists).sort(([, one], [, other]) =>
    one.name.localeCompare(other.name, language),
  );
  const close = (): void => {
    setRemoving(undefined);
    if (remove !== undefined) navigate(paths.userLists, { replace: true });
  };
  const removed = removing === undefined ? undefined : lists[removing];
  const [missing] = useState(remove !== undefined && removed === undefined);
  useMissing(missing, t('userLists.missing'), close);
  return (
    <>
      {sorted.length === 0 && (
        <EmptyState
          icon={<UserListIcon />}
          title={t('userLists.empty.title')}
          action={
            <LinkButton kind="primary" icon={<AddIcon />} href={paths.addUserList}>
              {t('userLists.add')}
            </LinkButton>
          }
        >
          {t('userLists.empty.text')}
        </EmptyState>
      )}
      {sorted.length > 0 && (
        <Rows label={t('userLists.title')}>
          {sorted.map(([key, { name, uids }]) => (
            <Row
              key={key}
              href={paths.editUserList(key)}
              name={name}
              star={<UserListIcon />}
              cells={[
                {
                  key: 'people',
                  width: '12rem',
                  content:
                    uids.length === 0 ? (
                      t('userLists.nobody')
                    ) : (
                      <AvatarStack most={6} people={uids.flatMap((uid) => people.get(uid) ?? [])} />
                    ),
                },
              ]}
              menu={
                <Menu
                  label={t('userLists.actions', { name })}
                  items={[
                    { label: t('userLists.edit'), icon: <EditIcon />, href: paths.editUserList(key) },
                    {
                      label: t('userLists.remove'),
                      icon: <RemoveIcon />,
                      danger: true,
                      onSelect: () => setRemoving(key),
                    },
                  ]}
                />
              }
            />
          ))}
        </Rows>
      )}
      {removing !== undefined && removed !== undefined && (
        <RemoveUserList list={removing} name={removed.name} onClose={close} />
      )}
    </>
  );
}

function RemoveUserList({ list, name, onClose }: { list: string; name: string; onClose: () => void }) {
  const { t } = useTranslation();
  const remove = useRemoveUserList();
  return (
    <ConfirmDialog
      danger
      title={t('userLists.remove.title', { name })}
      action={t('userLists.remove')}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync(list)}
      done={t('userLists.removed', { name })}
    >
      <p>{t('userLists.remove.text')}</p>
    </ConfirmDialog>
  );
}
