import { createContext, type ReactNode, useContext, useId } from 'react';
import { useTranslation } from '../i18n';
import styles from './Field.module.css';
import { ErrorIcon } from './icons';

interface FieldIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
}

const FieldContext = createContext<FieldIds | null>(null);

/** What the input inside a Field spreads onto its element: id, description, invalid and required state. Empty outside of one. */
export function useFieldIds(): Partial<FieldIds> {
  return useContext(FieldContext) ?? {};
}

export interface FieldProps {
  label: string;
  /** The input's id; `form.field(name)` gives it. Made up when missing. */
  id?: string;
  /** Small text below: the rule before it is broken. */
  help?: ReactNode;
  /** What is wrong and what to do. */
  error?: string;
  /** Every field is required unless this is set; the label then says "optional". */
  optional?: boolean;
  /** Something at the end of the label's line, such as a link. */
  aside?: ReactNode;
  /** The input: TextInput, PasswordInput, TextArea, Select or ChipInput. */
  children: ReactNode;
}

/** A label above, an input, help and error below, tied together for everybody. */
export function Field({ label, id, help, error, optional = false, aside, children }: FieldProps) {
  const { t } = useTranslation();
  const made = useId();
  const own = id ?? made;
  const described = [error !== undefined && `${own}-error`, help !== undefined && `${own}-help`].filter(
    Boolean,
  );
  return (
    <div className={styles.field}>
      <div className={styles.line}>
        <label htmlFor={own} id={`${own}-label`} className={styles.label}>
          {label}
          {optional && <span className={styles.optional}> {t('form.optional')}</span>}
        </label>
        {aside}
      </div>
      <FieldContext
        value={{
          id: own,
          'aria-describedby': described.join(' ') || undefined,
          'aria-invalid': error === undefined ? undefined : true,
          'aria-required': optional ? undefined : true,
        }}
      >
        {children}
      </FieldContext>
      {error !== undefined && (
        <p id={`${own}-error`} className={styles.error}>
          <ErrorIcon />
          <span>{error}</span>
        </p>
      )}
      {help !== undefined && (
        <div id={`${own}-help`} className={styles.help}>
          {help}
        </div>
      )}
    </div>
  );
}
