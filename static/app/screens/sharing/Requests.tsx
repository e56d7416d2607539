import { useState } from 'react';
import type { AccessRequest } from '../../../../api/request/schema';
import type { GrantRole } from '../../../../model/store/entities';
import { displayName } from '../../components/Avatar';
import { Button } from '../../components/Button';
import { TimeText } from '../../components/RelativeTime';
import { Select } from '../../components/Select';
import { toasts, useErrorToast } from '../../components/Toasts';
import { isMissing } from '../../data/client';
import { useUser } from '../../data/configuration';
import { useAnswerRequest, useRequests } from '../../data/requests';
import { useIgnoreSecondPress } from '../../lib/secondPress';
import { useTranslation } from '../../texts/i18n';
import { Who } from './PeopleRows';
import styles from './Requests.module.css';
import sharing from './Sharing.module.css';

/** The open requests for access to a folder and its pads. Nothing if there are none. */
export function FolderRequests({ group }: { group: string }) {
  const { t } = useTranslation();
  // A server administrator has no folders, so nobody asks them.
  const { data = [] } = useRequests(useUser() !== undefined);
  const own = data.filter((request) => request.group._id === group);
  if (own.length === 0) return null;
  return (
    <section className={sharing.section}>
      <h3 className={sharing.heading}>{t('requests.title')}</h3>
      <RequestRows requests={own} />
    </section>
  );
}

export interface RequestRowsProps {
  requests: readonly AccessRequest[];
}

/** Requests with the person, what they ask for, and the answers. */
export function RequestRows({ requests }: RequestRowsProps) {
  const { t } = useTranslation();
  return (
    <ul className={styles.requests} aria-label={t('requests.title')}>
      {requests.map((request) => (
        <OneRequest key={request._id} request={request} />
      ))}
    </ul>
  );
}

function OneRequest({ request }: { request: AccessRequest }) {
  const { t } = useTranslation();
  useIgnoreSecondPress();
  const { user, group, pad, text, created, isReader } = request;
  const wants = isReader ? 'write' : pad === null ? 'folder' : 'pad';
  return (
    <li className={styles.request}>
      <div className={styles.person}>
        <Who person={user} />
      </div>
      <p>{t(`requests.wants.${wants}`, { name: pad?.name ?? group.name })}</p>
      {text !== '' && (
        <blockquote dir="auto" className={styles.sentence}>
          {text}
        </blockquote>
      )}
      <p className="muted">
        <TimeText text="requests.time" time={created} />
      </p>
      <Answers request={request} />
    </li>
  );
}

/** Gives the chosen role, or declines. A reader who asks to write has no choice of roles. */
function Answers({ request }: { request: AccessRequest }) {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const { mutateAsync, isPending } = useAnswerRequest();
  const [role, setRole] = useState<GrantRole>(request.isReader ? 'writer' : 'reader');
  const name = displayName(request.user);
  const answer = async (gives: boolean): Promise<void> => {
    try {
      await mutateAsync({ request, reply: gives ? { role } : { declined: true } });
      toasts.success(t(gives ? 'requests.given' : 'requests.declined', { name }));
    } catch (error) {
      if (isMissing(error)) toasts.info(t('requests.gone'));
      else showError(error);
    }
  };
  const give = t(request.isReader ? 'requests.giveWriting' : 'requests.give');
  const labelOf = (action: string) => t('text.detail', { text: action, detail: name });
  return (
    <div className={styles.answers}>
      {!request.isReader && (
        <div className={styles.role}>
          <Select
            aria-label={t('requests.role', { name })}
            value={role}
            options={[
              { value: 'reader', label: t('share.role.readers') },
              { value: 'writer', label: t('share.role.users') },
            ]}
            onChange={({ target }) => setRole(target.value as GrantRole)}
          />
        </div>
      )}
      <Button aria-label={labelOf(give)} busy={isPending} onClick={() => void answer(true)}>
        {give}
      </Button>
      <Button
        kind="quiet"
        aria-label={labelOf(t('requests.decline'))}
        busy={isPending}
        onClick={() => void answer(false)}
      >
        {t('requests.decline')}
      </Button>
    </div>
  );
}
