import type { Link } from '../../../../api/link/schema';
import { displayName } from '../../components/Avatar';
import { ConfirmDialog } from '../../components/ConfirmDialog';
import { useLinks } from '../../data/links';
import { useTranslation } from '../../texts/i18n';
import type { PadPeople } from './changes';
import { type Changes, padSharesOf } from './changes';
import { useLinkName } from './LinksDialog';
import styles from './ShareForm.module.css';
import type { ShareValues } from './values';

export interface SummaryProps {
  /** Id of the folder. */
  group: string;
  changes: Changes;
  values: ShareValues;
  /** With whom the pad alone is shared now. */
  shared: PadPeople;
  /** Whether a pad is shared, and not a folder. */
  pad: boolean;
  /** Entries that have no account. */
  absent: readonly string[];
}

/** Says what saving would change. */
export function Summary({ group, changes, values, shared, pad, absent }: SummaryProps) {
  const { t, list } = useTranslation();
  const { visibility, password } = values;
  const inPad = padSharesOf(shared.roles, values.padRoles, (id) => {
    const person = shared.people.find(({ _id }) => _id === id);
    return person && displayName(person);
  });
  const asked = changes.asked.filter((entry) => !absent.includes(entry));
  const who = (names: readonly string[]) => names.length > 0 && { names: list(names) };
  const [added, unknown, toAdmins, toUsers, toReaders, removed] = [
    who(changes.added),
    who(asked),
    who(changes.toAdmins),
    who([...changes.toUsers, ...inPad.writer]),
    who([...changes.toReaders, ...inPad.reader]),
    who([...changes.removed, ...inPad.removed]),
  ];
  const chosen = visibility && {
    visibility: t(visibility === 'folder' ? 'padForm.asFolder' : `visibility.${visibility}`),
  };
  const lines = [
    added && t('peopleForm.added', added),
    unknown && t('peopleForm.asked', unknown),
    toAdmins && t('peopleForm.toAdmins', toAdmins),
    toUsers && t('peopleForm.toUsers', toUsers),
    toReaders && t('peopleForm.toReaders', toReaders),
    removed && t('peopleForm.removed', removed),
    chosen && t(pad ? 'share.change.pad' : 'share.change.folder', chosen),
    visibility === null && password !== '' && t('share.change.password'),
  ].filter((line) => typeof line === 'string');
  return (
    <section aria-label={t('peopleForm.summary')} aria-live="polite" className={styles.summary}>
      <h3>{t('peopleForm.summary')}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        {(removed || toReaders) && <LinksThatStay group={group} roles={values.roles} />}
      </ul>
    </section>
  );
}

/** Names the links by which people can come back who are about to be removed, or still write. */
function LinksThatStay({ group, roles }: Pick<SummaryProps, 'group'> & Pick<ShareValues, 'roles'>) {
  const { t, list } = useTranslation();
  const nameOf = useLinkName();
  const { data: links = [] } = useLinks({ group });
  const givesMore = ({ by, role }: Link): boolean => {
    const next = by === null ? undefined : roles[by];
    return next === 'removed' || (next === 'readers' && role === 'writer');
  };
  const theirs = links.filter((link) => givesMore(link) && (link.ends === null || Date.now() < link.ends));
  if (theirs.length === 0) return null;
  return <li>{t('peopleForm.removed.links', { labels: list(theirs.map(nameOf)) })}</li>;
}

/** The person is about to remove themselves or to lose their role. */
export type SelfChange = NonNullable<Changes['self']>;

export interface SelfQuestionProps {
  self: SelfChange;
  /** The folder's name. */
  name: string;
  onCancel: () => void;
  onAgree: () => void;
}

/** Asks the person before they lose access or their role. */
export function SelfQuestion({ self, name, onCancel, onAgree }: SelfQuestionProps) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      danger
      title={t(`peopleForm.self.${self}.title`)}
      action={t('peopleForm.self.submit')}
      onClose={onCancel}
      onConfirm={onAgree}
    >
      <p>{t(`peopleForm.self.${self}.text`, { name })}</p>
    </ConfirmDialog>
  );
}
