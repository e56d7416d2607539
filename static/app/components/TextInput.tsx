import type { InputHTMLAttributes, Ref, TextareaHTMLAttributes } from 'react';
import { useTranslation } from '../texts/i18n';
import { classNames } from './classNames';
import { useFieldIds } from './Field';
import styles from './Input.module.css';

export interface TextInputProps extends InputHTMLAttributes<HTMLInputElement> {
  ref?: Ref<HTMLInputElement>;
}

/** The counter appears when so many characters are left. */
const nearlyFull = 10;

/**
 * A text input; also for e-mail, number and colour with `type`. Label and error come from the Field around it. Near
 * `maxLength` it counts the remaining characters, because browsers drop further ones without a message.
 */
export function TextInput({ className, type = 'text', ...rest }: TextInputProps) {
  const length = typeof rest.value === 'string' ? rest.value.length : 0;
  const most = rest.maxLength ?? Number.POSITIVE_INFINITY;
  return (
    <>
      <PlainInput {...rest} className={className} type={type} />
      <LengthCount length={length} most={most} />
    </>
  );
}

/** The number of characters, when nearly no more are possible. */
export function LengthCount({ length, most }: { length: number; most: number }) {
  const { t, digits } = useTranslation();
  if (length < most - nearlyFull) return null;
  return (
    <span className={styles.length}>
      <span aria-hidden="true">{`${digits(length)} / ${digits(most)}`}</span>
      <span role="status" className="visually-hidden">
        {length >= most && t('form.full', { count: most })}
      </span>
    </span>
  );
}

function PlainInput({ className, type, ...rest }: TextInputProps) {
  return (
    <input
      type={type}
      {...useFieldIds()}
      {...rest}
      className={classNames(styles.input, type === 'color' && styles.color, className)}
    />
  );
}

export interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  ref?: Ref<HTMLTextAreaElement>;
}

/** Several lines of text. Grows with its content if the browser supports it. */
export function TextArea({ className, ...rest }: TextAreaProps) {
  return (
    <textarea
      rows={4}
      {...useFieldIds()}
      {...rest}
      className={classNames(styles.input, styles.area, className)}
    />
  );
}
