import type { InputHTMLAttributes, Ref, TextareaHTMLAttributes } from 'react';
import { classNames } from './classNames';
import { useFieldIds } from './Field';
import styles from './Input.module.css';

export interface TextInputProps extends InputHTMLAttributes<HTMLInputElement> {
  ref?: Ref<HTMLInputElement>;
}

/** One line of text; also e-mail, number and colour by `type`. Inside a Field it takes its label and error from there. */
export function TextInput({ className, type = 'text', ...rest }: TextInputProps) {
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

/** Several lines of text; grows with them where the browser can. */
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
