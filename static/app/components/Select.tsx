import type { SelectHTMLAttributes } from 'react';
import { classNames } from './classNames';
import { useFieldIds } from './Field';
import styles from './Input.module.css';
import { ExpandIcon } from './screenIcons';

export interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  options: readonly { value: string; label: string }[];
}

/** A native select. */
export function Select({ options, className, ...rest }: SelectProps) {
  return (
    <span className={styles.frame}>
      <select {...useFieldIds()} {...rest} className={classNames(styles.input, styles.select, className)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ExpandIcon className={styles.chevron} />
    </span>
  );
}
