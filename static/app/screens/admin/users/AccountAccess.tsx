import { useState } from 'react';
import { listOfRole } from '../../../../../model/store/entities';
import { Button } from '../../../components/Button';
import { Dialog } from '../../../components/Dialog';
import { Row, Rows } from '../../../components/Rows';
import { Loading, SkeletonRows } from '../../../components/States';
import { FolderIcon, PadIcon } from '../../../components/screenIcons';
import { useAccountAccess, useHandOverAll } from '../../../data/administration';
import { withParameters } from '../../../navigation/location';
import { paths } from '../../../navigation/paths';
import { useTranslation } from '../../../texts/i18n';
import { HandOverForm } from '../../sharing/HandOver';
import { adminPaths } from '../adminPaths';
import { ShortList } from './ShortList';
import styles from './users.module.css';

interface AccountAccessProps {
  /** The account in a path. */
  login: string;
  /** How the account is shown. */
  name: string;
}

/** The folders of an account with its role in them, and the pads that are shared alone with it. */
export function AccountAccess({ login, name: person }: AccountAccessProps) {
  const { t } = useTranslation();
  const [handsOver, setHandsOver] = useState(false);
  const query = useAccountAccess(login);
  const { data } = query;
  const title = t('admin.users.opens.title');
  const alone = data?.groups.filter((group) => group.alone) ?? [];
  return (
    <section className={styles.opens} aria-label={title}>
      <div className={styles.opensHead}>
        <h2>{title}</h2>
        {alone.length > 0 && (
          <Button small onClick={() => setHandsOver(true)}>
            {t('handover.all')}
          </Button>
        )}
      </div>
      <Loading query={query} failed={t('whoCan.failed')}>
        <SkeletonRows rows={2} />
      </Loading>
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
      {handsOver && (
        <HandOverAll login={login} name={person} groups={alone} onClose={() => setHandsOver(false)} />
      )}
    </section>
  );
}

interface HandOverAllProps extends AccountAccessProps {
  /** Those that only this account manages. */
  groups: readonly { _id: string; name: string }[];
  onClose: () => void;
}

function HandOverAll({ login, name, groups, onClose }: HandOverAllProps) {
  const { t } = useTranslation();
  const { mutateAsync } = useHandOverAll();
  return (
    <Dialog title={t('handover.all')} onClose={onClose}>
      <HandOverForm
        action={t('handover.all')}
        handOver={(to) => mutateAsync({ login, to })}
        done={(to) => t('handover.all.done', { to })}
        onClose={onClose}
      >
        <p>{t('handover.all.text', { name })}</p>
        <ShortList folders={groups.map((group) => ({ _id: group._id, text: group.name }))} />
      </HandOverForm>
    </Dialog>
  );
}
