import type { Group, Person } from '../../../../api/answers';
import type { Visibility } from '../../../../model/store/entities';
import { AvatarStack } from '../../components/Avatar';
import { Button } from '../../components/Button';
import { visibilityIcons } from '../../components/Chip';
import { classNames } from '../../components/classNames';
import { ShareIcon } from '../../components/screenIcons';
import { useSettings } from '../../data/configuration';
import { useTranslation } from '../../texts/i18n';
import { peopleIn, type Role } from './changes';
import styles from './Sharing.module.css';

export interface ShareButtonProps {
  /** Missing if the viewer does not know the folder. */
  group?: Pick<Group, Role>;
  people?: Readonly<Record<string, Person>>;
  /** Who can open what is shared. The button shows it as a sign. */
  visibility?: Visibility;
  onClick: () => void;
}

const nobody: Readonly<Record<string, Person>> = {};

/** Opens the share dialog, and shows who is in the folder. */
export function ShareButton({ group, people = nobody, visibility, onClick }: ShareButtonProps) {
  const { t } = useTranslation();
  const { allPadsPublicsAuthentifiedOnly: signedInOnly } = useSettings();
  const faces = group === undefined ? [] : peopleIn(group, people, signedInOnly);
  const signed = signedInOnly ? undefined : visibility;
  const Sign = signed && visibilityIcons[signed];
  const who = signed && {
    text: t(`visibility.${signed}`),
    detail: t(`visibility.${signed}.help`),
  };
  return (
    <Button
      className={classNames(styles.button, Sign && styles.signed)}
      title={who ? t('text.detail', who) : t('share.button')}
      icon={
        <>
          <ShareIcon />
          {Sign && <Sign />}
        </>
      }
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
