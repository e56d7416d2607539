import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from '../texts/i18n';
import { Button, LinkButton } from './Button';
import { Failure } from './Failure';
import styles from './Form.module.css';
import type { FormState } from './useForm';

export interface ErrorSummaryProps {
  /** Error messages with the ids of their inputs. */
  errors: readonly { id: string; text: string }[];
  /** The error message of the form as a whole. */
  failure: string | null;
  /** The summary takes the focus whenever this grows. */
  failures: number;
}

/** Error summary at the top of a form. It takes the focus and links to each field with an error. */
function ErrorSummary({ errors, failure, failures }: ErrorSummaryProps) {
  const { t } = useTranslation();
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failures > 0) summary.current?.focus();
  }, [failures]);
  if (errors.length === 0 && failure === null) return null;
  return (
    <div ref={summary} tabIndex={-1} role="alert" className={styles.summary}>
      <Failure>
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
      </Failure>
    </div>
  );
}

export interface FormProps<Values> {
  form: FormState<Values>;
  children: ReactNode;
  /** Label of the form, if its heading does not say what it is for. */
  label?: string;
}

/** A column of fields below the error summary. The browser's own validation is off; `check` validates instead. */
export function Form<Values extends object>({ form, children, label }: FormProps<Values>) {
  const errors = Object.entries<string | undefined>(form.errors).flatMap(([name, text]) =>
    text === undefined ? [] : [{ id: form.field(name as keyof Values & string).id, text }],
  );
  return (
    <form
      noValidate
      data-unsaved={form.guarded || undefined}
      onSubmit={form.onSubmit}
      aria-label={label}
      className={styles.form}
    >
      <ErrorSummary errors={errors} failure={form.failure} failures={form.failures} />
      {children}
    </form>
  );
}

/** A section of a form with a heading. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.section}>
      <legend className={styles.legend}>{title}</legend>
      <div className={styles.fields}>{children}</div>
    </fieldset>
  );
}

export interface FormActionsProps {
  form: { busy: boolean };
  /** The text of the submit button. */
  submit: string;
  /** The form destroys something: Cancel has the focus at first. */
  danger?: boolean;
  /** The submit button has the focus at first: the dialog has nothing to fill in. */
  first?: boolean;
  /** What Cancel does: it leads to a path, or calls a function. */
  cancel?: string | (() => void);
  cancelText?: string;
}

/** The buttons at the end of a form: the submit button, then Cancel. On a phone they fill the width. */
export function FormActions(props: FormActionsProps) {
  const { form, submit, danger = false, first = false, cancel, cancelText } = props;
  const { t } = useTranslation();
  const text = cancelText ?? t('action.cancel');
  return (
    <div className={styles.actions}>
      <Button
        kind={danger ? 'danger' : 'primary'}
        type="submit"
        busy={form.busy}
        data-first={first || undefined}
      >
        {submit}
      </Button>
      {typeof cancel === 'string' && <LinkButton href={cancel}>{text}</LinkButton>}
      {typeof cancel === 'function' && (
        <Button data-first={danger || undefined} onClick={cancel} disabled={form.busy}>
          {text}
        </Button>
      )}
    </div>
  );
}
