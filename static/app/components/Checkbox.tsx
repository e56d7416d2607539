import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import styles from './Checkbox.module.css';
import { classNames } from './classNames';

interface SwitchProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  label: ReactNode;
  /** Small text below the label. */
  help?: ReactNode;
}

export interface CheckboxProps extends SwitchProps {
  /** Only screen readers get the label, as in rows of a list. */
  labelHidden?: boolean;
}

/** A checkbox with its label beside it. */
export const Checkbox = (props: CheckboxProps) => <Choice {...props} look={styles.box} />;

/** Like Checkbox, for something that is switched on and off. */
export const Switch = (props: SwitchProps) => <Choice {...props} look={styles.switch} />;

function Choice(props: CheckboxProps & { look: string | undefined }) {
  const { label, help, labelHidden = false, className, look, ...rest } = props;
  const id = useId();
  return (
    <div className={classNames(styles.choice, labelHidden && styles.bare, className)}>
      <input
        id={id}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        {...rest}
        type="checkbox"
        className={look}
      />
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
