import { ignoreSecondPress } from '../lib/secondPress';
import { useTranslation } from '../texts/i18n';
import { IconButton } from './Button';
import { classNames } from './classNames';
import styles from './Star.module.css';
import { StarIcon } from './screenIcons';

export interface StarProps {
  type: 'groups' | 'pads';
  id: string;
  /** Name of the thing, for the label of the button. */
  name: string;
  on: boolean;
  /** Called when the button is pressed. */
  onToggle: () => void;
  small?: boolean;
}

/** A button that sets or removes a bookmark. */
export function Star({ type, id, name, on, onToggle, small }: StarProps) {
  const { t } = useTranslation();
  return (
    <IconButton
      small={small}
      data-key="s"
      name={type}
      value={id}
      label={t('star.label', { name })}
      title={on ? t('star.remove') : t('star.add')}
      aria-pressed={on}
      icon={<StarIcon />}
      className={classNames(styles.star, on && styles.on)}
      onClick={() => {
        // The row may move, and another be at its place.
        ignoreSecondPress();
        onToggle();
      }}
    />
  );
}
