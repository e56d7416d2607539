import { useTranslation } from '../texts/i18n';
import { Button } from './Button';
import styles from './ColorInput.module.css';
import { TextInput } from './TextInput';

export interface ColorInputProps {
  /** `#rrggbb`, or `''` for none. */
  value: string;
  onChange: (value: string) => void;
}

/** The browser's own input has no value for "none", so it shows this colour. */
const neutral = '#8b8b9d';

/** The colour of a person, which may also be none. Label and help come from the Field around it. */
export function ColorInput({ value, onChange }: ColorInputProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.color}>
      <TextInput
        type="color"
        name="color"
        value={value || neutral}
        onChange={(event) => onChange(event.target.value)}
      />
      {value === '' ? (
        <span>{t('color.none')}</span>
      ) : (
        <Button kind="quiet" small onClick={() => onChange('')}>
          {t('color.clear')}
        </Button>
      )}
    </div>
  );
}
