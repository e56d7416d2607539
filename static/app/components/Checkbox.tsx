import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import styles from './Checkbox.module.css';
import { classNames } from './classNames';

export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  label: ReactNode;
  /** Small text below the label. */
  help?: ReactNode;
  /** Only screen readers get the label, as in rows of a list. */
  labelHidden?: boolean;
  /** Some, but not all, of the things that it represents are selected. */
  mixed?: boolean;
}

/** A checkbox with its label beside it. */
export function Checkbox({
  label,
  help,
  labelHidden = false,
  mixed = false,
  className,
  ...rest
}: CheckboxProps) {
  return (
    <Choice {...{ label, help, labelHidden, className }}>
      {(ids) => (
        <input
          {...ids}
          {...rest}
          type="checkbox"
          className={styles.box}
          ref={(element) => {
            if (element !== null) element.indeterminate = mixed;
          }}
        />
      )}
    </Choice>
  );
}

/** Like Checkbox, for something that is switched on and off. */
export function Switch({ label, help, className, ...rest }: Omit<CheckboxProps, 'mixed' | 'labelHidden'>) {
  return (
    <Choice {...{ label, help, className }} labelHidden={false}>
      {(ids) => <input {...ids} {...rest} type="checkbox" className={styles.switch} />}
    </Choice>
  );
}

interface ChoiceProps {
  label: ReactNode;
  help?: ReactNode;
  labelHidden: boolean;
  className?: string;
  children: (ids: { id: string; 'aria-describedby': string | undefined }) => ReactNode;
}

function Choice({ label, help, labelHidden, className, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className={classNames(styles.choice, labelHidden && styles.bare, className)}>
      {children({ id, 'aria-describedby': help === undefined ? undefined : `${id}-help` })}
      <label
        htmlFor={id}
        className={labelHidden ? styles.cover : styles.label}
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      >
        {labelHidden ? <span className="visually-hidden">{label}</span> : label}
      </label>
      {help !== undefined && (
        <div id={`${id}-help`} className={styles.help} data-hint>
          {help}
        </div>
      )}
    </div>
  );
}
