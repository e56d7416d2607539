import type { Group, Person } from '../../../../api/answers';
import { AvatarStack } from '../../components/Avatar';
import { Button } from '../../components/Button';
import { ShareIcon } from '../../components/icons';
import { useSettings } from '../../data/configuration';
import { useTranslation } from '../../i18n';
import { peopleIn } from './changes';
import styles from './Sharing.module.css';

export interface ShareButtonProps {
  /** Missing if the viewer does not know the folder. */
  group?: Pick<Group, 'admins' | 'users'>;
  people?: Readonly<Record<string, Person>>;
  onClick: () => void;
}

const nobody: Readonly<Record<string, Person>> = {};

/** Opens the share dialog, and shows who is in the folder. */
export function ShareButton({ group, people = nobody, onClick }: ShareButtonProps) {
  const { t } = useTranslation();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  const faces = group === undefined ? [] : peopleIn(group, people, signedInOnly);
  return (
    <Button
      className={styles.button}
      title={t('share.button')}
      icon={<ShareIcon />}
      aria-haspopup="dialog"
      onClick={onClick}
    >
      <span className={styles.inside}>
        <span className={styles.word}>{t('share.button')}</span>
        {faces.length > 0 && (
          <span className={styles.faces}>
            <AvatarStack most={3} people={faces} />
          </span>
        )}
      </span>
    </Button>
  );
}
