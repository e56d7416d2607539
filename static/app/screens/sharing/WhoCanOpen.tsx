import type { UseQueryResult } from '@tanstack/react-query';
import type { AccessAnswer, AccessRowShown } from '../../../../api/access/schema';
import { dateFormatter } from '../../../../model/dateFormat';
import { listOfRole } from '../../../../model/store/entities';
import { Avatar, displayName } from '../../components/Avatar';
import { classNames } from '../../components/classNames';
import { Dialog } from '../../components/Dialog';
import { Loading, SkeletonRows } from '../../components/States';
import { InviteIcon, LinkIcon, PresentIcon, PrivateIcon, PublicIcon } from '../../components/screenIcons';
import { useTranslation } from '../../texts/i18n';
import styles from './Sharing.module.css';

export interface WhoCanOpenProps {
  /** Of the folder or pad. */
  name: string;
  query: Pick<UseQueryResult<AccessAnswer>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  onClose: () => void;
}

/** Everybody who can open a folder or a pad, and why. */
export function WhoCanOpen({ name, query, onClose }: WhoCanOpenProps) {
  const { t } = useTranslation();
  const { data } = query;
  const title = t('whoCan.title', { name });
  return (
    <Dialog title={title} size="medium" onClose={onClose}>
      <Loading query={query} failed={t('whoCan.failed')}>
        <SkeletonRows rows={3} />
      </Loading>
      {data !== undefined && (
        <>
          {data.readonly && <p className={styles.note}>{t('whoCan.readonly')}</p>}
          <ul aria-label={title} className={classNames(styles.people, styles.everybody)}>
            {data.value.map((row) => (
              <OneWay
                key={[row.why, row.user, row.address, row.pad?._id, row.link?._id].join(' ')}
                row={row}
                {...data}
              />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

const icons = {
  link: LinkIcon,
  invited: InviteIcon,
  password: PrivateIcon,
  everybody: PublicIcon,
  signedIn: PresentIcon,
};

const isPerson = (why: AccessRowShown['why']) => why === 'member' || why === 'directory' || why === 'pad';

/** Who comes in this way, and what they may do. */
function useTexts(
  { why, role, link, pad, address, needsPassword }: AccessRowShown,
  person: string | undefined,
) {
  const { t, language } = useTranslation();
  const needs = needsPassword && t('whoCan.needsPassword');
  if (why === 'member' || why === 'directory') {
    const as = t(`share.folderRole.${listOfRole[role]}`);
    const byRule = why === 'directory' && t('share.byRule');
    return { who: person, what: [as, byRule, needs] };
  }
  const right = t(`links.role.${role === 'reader' ? 'reader' : 'writer'}`);
  const only = pad === undefined ? undefined : t('whoCan.onlyPad', { name: pad.name });
  if (why === 'invited') {
    const as = only === undefined ? [t(`share.folderRole.${listOfRole[role]}`)] : [right, only];
    return { who: address, what: [t('invitations.list'), ...as, needs] };
  }
  if (why === 'pad') return { who: person, what: [right, only ?? t('whoCan.thisPad')] };
  if (why !== 'link') return { who: t(`whoCan.${why}`), what: [right] };
  const ends =
    link?.ends != null &&
    t('links.until', {
      time: dateFormatter(language, { dateStyle: 'medium', timeStyle: 'short' })(link.ends),
    });
  return { who: link?.label || t('whoCan.link'), what: [link?.label && t('whoCan.link'), right, only, ends] };
}

function OneWay({ row, users }: { row: AccessRowShown; users: AccessAnswer['users'] }) {
  const person = row.user === undefined ? undefined : users[row.user];
  const { who, what } = useTexts(row, person && displayName(person));
  const Icon = isPerson(row.why) ? undefined : icons[row.why];
  const login = person !== undefined && person.login !== who && person.login;
  return (
    <li className={styles.person}>
      <span className={styles.face}>
        {Icon === undefined ? person && <Avatar person={person} size="medium" /> : <Icon />}
      </span>
      <div className={styles.who}>
        <p className={styles.name}>
          <span>{who}</span>
        </p>
        <p className={styles.ways}>{[login, ...what].filter(Boolean).join(' · ')}</p>
      </div>
    </li>
  );
}
