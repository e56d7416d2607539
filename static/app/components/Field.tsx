import { createContext, type ReactNode, useContext, useId } from 'react';
import { useTranslation } from '../texts/i18n';
import styles from './Field.module.css';
import { ErrorIcon } from './icons';

interface FieldIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
}

const FieldContext = createContext<FieldIds | null>(null);

/**
 * Attributes that the input in a Field must spread onto its element: id, description, invalid and required. Empty
 * outside of a Field.
 */
export function useFieldIds(): Partial<FieldIds> {
  return useContext(FieldContext) ?? {};
}

export interface FieldProps {
  label: string;
  /** The input's id, from `form.field(name)`. A random id by default. */
  id?: string;
  /** A hint below the input, such as the rules for its value. */
  help?: ReactNode;
  /** The error message: what is wrong and how to correct it. */
  error?: string;
  /** Screen readers say the error when it appears. Otherwise the summary of the form does. */
  announced?: boolean;
  /** Fields are required by default. For an optional one, the label says "optional", except with `unsaid`. */
  optional?: boolean | 'unsaid';
  /** Content at the end of the label's line, such as a link. */
  aside?: ReactNode;
  /** The input: TextInput, PasswordInput, TextArea, Select or ChipInput. */
  children: ReactNode;
}

/** A label, an input, a hint and an error, connected for assistive technology. */
export function Field(props: FieldProps) {
  const { label, id, help, error, announced = false, optional = false, aside, children } = props;
  const { t } = useTranslation();
  const made = useId();
  const own = id ?? made;
  const described = [error !== undefined && `${own}-error`, help !== undefined && `${own}-help`].filter(
    Boolean,
  );
  const message = error !== undefined && (
    <p id={`${own}-error`} className={styles.error}>
      <ErrorIcon />
      <span>{error}</span>
    </p>
  );
  return (
    <div className={styles.field}>
      <div className={styles.line}>
        <label htmlFor={own} id={`${own}-label`} className={styles.label}>
          {label}
          {optional === true && <span className={styles.optional}> {t('form.optional')}</span>}
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
      {announced ? (
        <div role="alert" className={styles.alert}>
          {message}
        </div>
      ) : (
        message
      )}
      {help !== undefined && (
        <div id={`${own}-help`} className={styles.help} data-hint={error === undefined || undefined}>
          {help}
        </div>
      )}
    </div>
  );
}
