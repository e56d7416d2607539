import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { useTranslation } from '../texts/i18n';
import { classNames } from './classNames';
import { useFieldIds } from './Field';
import styles from './Input.module.css';

/** The counter appears when so many characters are left. */
const nearlyFull = 10;

/**
 * A text input; also for e-mail, number and colour with `type`. Label and error come from the Field around it. Near
 * `maxLength` it counts the remaining characters, because browsers drop further ones without a message.
 */
export function TextInput({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  const { type = 'text', value, maxLength = Number.POSITIVE_INFINITY } = rest;
  return (
    <>
      <input
        {...useFieldIds()}
        {...rest}
        type={type}
        className={classNames(styles.input, type === 'color' && styles.color, className)}
      />
      <LengthCount length={typeof value === 'string' ? value.length : 0} most={maxLength} />
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

/** Several lines of text. Grows with its content if the browser supports it. */
export function TextArea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <textarea
      rows={4}
      {...useFieldIds()}
      {...rest}
      className={classNames(styles.input, styles.area, className)}
    />
  );
}
