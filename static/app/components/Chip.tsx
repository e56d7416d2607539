import type { ReactNode } from 'react';
import type { Visibility } from '../../../model/store/entities';
import { useTranslation } from '../texts/i18n';
import { type AvatarPerson, AvatarStack, displayName } from './Avatar';
import styles from './Chip.module.css';
import { classNames } from './classNames';
import { CloseIcon } from './icons';
import { keepsFocus } from './keepFocus';
import { PresentIcon, PrivateIcon, PublicIcon, RestrictedIcon } from './screenIcons';

export type ChipTone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

export interface ChipProps {
  children: ReactNode;
  icon?: ReactNode;
  /** `neutral` by default. */
  tone?: ChipTone;
  /** The tooltip. */
  title?: string;
}

/** A short label: "Archived", "Read only", a tag. */
export function Chip({ children, icon, tone = 'neutral', title }: ChipProps) {
  return (
    <span className={classNames(styles.chip, styles[tone])} title={title}>
      {icon}
      <span className={styles.text}>{children}</span>
    </span>
  );
}

/** The sign of each visibility. */
export const visibilityIcons = { restricted: RestrictedIcon, private: PrivateIcon, public: PublicIcon };

/** The visibility as an icon and one word, which fits into a column. The tooltip explains it in a sentence. */
export function VisibilityChip({ visibility }: { visibility: Visibility }) {
  const { t } = useTranslation();
  const Icon = visibilityIcons[visibility];
  return (
    <Chip
      icon={<Icon />}
      tone={visibility === 'public' ? 'success' : visibility === 'private' ? 'warning' : 'neutral'}
      title={t(`visibility.${visibility}.help`)}
    >
      {t(visibility === 'private' ? 'account.password' : `visibility.${visibility}`)}
    </Chip>
  );
}

export interface PresentChipProps {
  count: number;
  /** Those of them whose names are known. */
  people: readonly AvatarPerson[];
}

/** Who has pads open now: some avatars, or the number if nobody's name is known. */
export function PresentChip({ count, people }: PresentChipProps) {
  const { t, list, digits } = useTranslation();
  const shown = `${t('present.count', { count })}\n${list(people.map(displayName))}`.trim();
  return (
    <Chip tone="accent" icon={<PresentIcon />} title={shown}>
      <span className="visually-hidden">{shown}</span>
      <span aria-hidden="true" className={styles.inside}>
        {people.length === 0 ? digits(count) : <AvatarStack people={people} total={count} most={2} />}
      </span>
    </Chip>
  );
}

export interface ChipButtonProps {
  children: ReactNode;
  icon?: ReactNode;
  pressed: boolean;
  onPress: () => void;
}

/** A filter that is on or off. One of a tag goes when it is pressed. */
export function ChipButton({ children, icon, pressed, onPress }: ChipButtonProps) {
  return (
    <button
      ref={keepsFocus}
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={classNames(styles.chip, styles.button)}
    >
      {icon}
      <span className={styles.text}>{children}</span>
      {pressed && <CloseIcon className={styles.cross} />}
    </button>
  );
}
