import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from '../i18n';
import styles from './Form.module.css';
import { ErrorIcon } from './icons';
import type { FormState } from './useForm';

export interface ErrorSummaryProps {
  /** What is wrong, each with the id of its input. */
  errors: readonly { id: string; text: string }[];
  /** What is wrong with the whole. */
  failure: string | null;
  /** The summary takes the focus whenever this grows. */
  failures: number;
}

/** What is wrong with a form, at its top: takes the focus, and leads to each field. */
export function ErrorSummary({ errors, failure, failures }: ErrorSummaryProps) {
  const { t } = useTranslation();
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failures > 0) summary.current?.focus();
  }, [failures]);
  if (errors.length === 0 && failure === null) return null;
  return (
    <div ref={summary} tabIndex={-1} role="alert" className={styles.summary}>
      <ErrorIcon />
      <div>
        <p className={styles.title}>{failure ?? t('form.errors', { count: errors.length })}</p>
        {errors.length > 0 && (
          <ul className={styles.list}>
            {errors.map(({ id, text }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  onClick={(event) => {
                    event.preventDefault();
                    document.getElementById(id)?.focus();
                  }}
                >
                  {text}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

export interface FormProps<Values> {
  form: FormState<Values>;
  children: ReactNode;
  /** Says what the form is for where its heading does not. */
  label?: string;
}

/** One column of fields with the summary above. The browser's own bubbles are off; `check` says what is wrong. */
export function Form<Values extends object>({ form, children, label }: FormProps<Values>) {
  const errors = Object.entries<string | undefined>(form.errors).flatMap(([name, text]) =>
    text === undefined ? [] : [{ id: form.field(name as keyof Values & string).id, text }],
  );
  return (
    <form noValidate onSubmit={form.onSubmit} aria-label={label} className={styles.form}>
      <ErrorSummary errors={errors} failure={form.failure} failures={form.failures} />
      {children}
    </form>
  );
}

/** A part of a form under its own small heading. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.section}>
      <legend className={styles.legend}>{title}</legend>
      <div className={styles.fields}>{children}</div>
    </fieldset>
  );
}

/** The buttons at the end: first the one that does it, then Cancel. On a phone they fill the width. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
