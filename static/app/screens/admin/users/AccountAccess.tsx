import { listOfRole } from '../../../../../model/store/entities';
import { Row, Rows } from '../../../components/Rows';
import { ErrorState, SkeletonRows } from '../../../components/States';
import { FolderIcon, PadIcon } from '../../../components/screenIcons';
import { useAccountAccess } from '../../../data/administration';
import { withParameters } from '../../../navigation/location';
import { paths } from '../../../navigation/paths';
import { useTranslation } from '../../../texts/i18n';
import { adminPaths } from '../adminPaths';
import styles from './users.module.css';

/** The folders of an account with its role in them, and the pads that are shared alone with it. */
export function AccountAccess({ login }: { login: string }) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useAccountAccess(login);
  const title = t('admin.users.opens.title');
  return (
    <section className={styles.opens} aria-label={title}>
      <h2>{title}</h2>
      {data === undefined && error === null && <SkeletonRows rows={2} />}
      {data === undefined && error !== null && (
        <ErrorState
          title={t('whoCan.failed')}
          error={error}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data !== undefined && data.groups.length + data.pads.length === 0 && (
        <p>{t('admin.users.opens.none')}</p>
      )}
      {data !== undefined && data.groups.length + data.pads.length > 0 && (
        <Rows label={title}>
          {data.groups.map(({ _id: id, name, role, alone }) => (
            <Row
              key={id}
              href={withParameters(adminPaths.pads, { group: id, name })}
              name={name}
              star={<FolderIcon />}
              cells={[
                {
                  key: 'role',
                  width: '14rem',
                  content: t(alone ? 'admin.users.opens.alone' : `share.folderRole.${listOfRole[role]}`),
                },
              ]}
            />
          ))}
          {data.pads.map(({ _id: id, name, group, role }) => (
            <Row
              key={id}
              href={paths.pad(group, id)}
              name={name}
              star={<PadIcon />}
              cells={[{ key: 'role', width: '14rem', content: t(`share.padRole.${role}`) }]}
            />
          ))}
        </Rows>
      )}
    </section>
  );
}
