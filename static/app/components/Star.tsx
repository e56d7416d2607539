import { useTranslation } from '../i18n';
import { IconButton } from './Button';
import { classNames } from './classNames';
import { StarIcon } from './icons';
import styles from './Star.module.css';

export interface StarProps {
  /** The thing's name, for the button's own. */
  name: string;
  on: boolean;
  /** Asked to turn it around. */
  onToggle: () => void;
  small?: boolean;
}

/** Bookmarked or not. */
export function Star({ name, on, onToggle, small }: StarProps) {
  const { t } = useTranslation();
  return (
    <IconButton
      small={small}
      label={t('star.label', { name })}
      title={on ? t('star.remove') : t('star.add')}
      aria-pressed={on}
      icon={<StarIcon />}
      className={classNames(styles.star, on && styles.on)}
      onClick={onToggle}
    />
  );
}
