import type { AdminLogEntry } from '../../../../../api/admin/schema';
import { Page } from '../../../components/Page';
import { RelativeTime } from '../../../components/RelativeTime';
import { EmptyState } from '../../../components/States';
import { LogIcon } from '../../../components/screenIcons';
import { useAdminLog } from '../../../data/administration';
import { Link, withParameters } from '../../../navigation/location';
import { hasText, type TextKey, useTranslation } from '../../../texts/i18n';
import { adminPaths } from '../adminPaths';
import { DocsIntro } from '../DocsLink';
import { AdminList, usePageQuery } from '../lists/AdminList';
import styles from './AdminLog.module.css';

/** What server administrators did last. */
export function AdminLog() {
  const { t } = useTranslation();
  const answer = useAdminLog(usePageQuery());
  return (
    <Page
      title={t('admin.log.title')}
      intro={
        <DocsIntro text={t('admin.log.intro')} page="administrators#activity" about={t('admin.log.title')} />
      }
    >
      <AdminList
        label={t('admin.log.title')}
        failed={t('admin.log.failed')}
        query={answer}
        rows={answer.data?.entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and several can have the same time
          <Entry key={`${entry.time} ${index}`} entry={entry} />
        ))}
        empty={<EmptyState icon={<LogIcon />} title={t('admin.log.empty')} />}
      />
    </Page>
  );
}

function Entry({ entry }: { entry: AdminLogEntry }) {
  const { t } = useTranslation();
  const { time, action, by, token, object, changed, count } = entry;
  const name = by ?? t('admin.log.unknown');
  return (
    <li className={styles.entry}>
      <div className={styles.what}>
        <span className={styles.action}>{t(`admin.log.${action}`)}</span>
        {object !== null && (
          <ObjectName object={object} removed={['groupRemoved', 'padRemoved'].includes(action)} />
        )}
        {count > 1 && (
          <span className="muted">
            {t(action === 'imported' ? 'admin.log.changes' : 'admin.log.times', { count })}
          </span>
        )}
        {changed.length > 0 && <Fields names={changed} />}
      </div>
      <div className={styles.who}>
        <span className={styles.by}>{token === null ? name : t('admin.log.byToken', { name, token })}</span>
        <RelativeTime time={time} />
      </div>
    </li>
  );
}

/** The labels of fields in forms. One without a label has its own name. */
const fieldLabels: Readonly<Record<string, TextKey>> = {
  name: 'folderForm.name',
  description: 'folderForm.description',
  tags: 'folders.tags',
  visibility: 'folderForm.visibility',
  readonly: 'folders.readonly',
  archived: 'folderView.archived',
  password: 'account.password',
  email: 'account.email',
  firstname: 'account.firstname',
  lastname: 'account.lastname',
  organization: 'account.organization',
  padNickname: 'account.padNickname',
  color: 'account.color',
  lang: 'language.label',
  active: 'admin.users.active',
  hideHelp: 'account.hideHelp',
  mailWhenAdded: 'account.mailWhenAdded',
  admins: 'folderView.admins',
  users: 'folderView.users',
  readers: 'folderView.readers',
  people: 'folderView.people',
  pads: 'folderView.pads',
  links: 'links.heading',
  invitations: 'invitations.list',
  requests: 'requests.title',
  allowUsersToCreatePads: 'folderForm.allow',
  group: 'folder.title',
  template: 'template.chip',
};

function Fields({ names }: { names: readonly string[] }) {
  const { t, list } = useTranslation();
  const labels = names.map((name) => {
    const label = fieldLabels[name];
    return label === undefined ? name : t(label);
  });
  return <span className="muted">{list(labels)}</span>;
}

interface ObjectNameProps {
  object: NonNullable<AdminLogEntry['object']>;
  removed: boolean;
}

/** The name of an object as a link to it in the administration, unless it has been removed. */
function ObjectName({ object: { kind, id, name }, removed }: ObjectNameProps) {
  const { t } = useTranslation();
  if (name === null || id === null) return <span className="muted">{t('admin.log.gone')}</span>;
  if (removed) return <span>{name}</span>;
  const label = `admin.setting.${id}`;
  // The only setting with a screen of its own.
  const isFirstSteps = kind === 'setting' && id === 'firstSteps';
  const href = {
    setting: isFirstSteps ? adminPaths.firstSteps : withParameters(adminPaths.settings, { q: id }),
    user: adminPaths.editUser(name),
    group: withParameters(adminPaths.folders, { q: id }),
    pad: withParameters(adminPaths.pads, { q: id }),
  }[kind];
  return (
    <Link href={href} className={styles.object}>
      {isFirstSteps ? t('admin.firstSteps.title') : kind === 'setting' && hasText(label) ? t(label) : name}
    </Link>
  );
}
