import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Link, type LinkProps } from '../navigation/location';
import styles from './Button.module.css';
import { classNames } from './classNames';

/**
 * `primary`: the main action of a screen. `quiet`: without a border until hovered. `danger`: removes something
 * permanently.
 */
export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';

interface Look {
  /** `secondary` by default. */
  kind?: ButtonKind;
  small?: boolean;
  /** Fills the width of its container. */
  wide?: boolean;
  icon?: ReactNode;
}

export interface ButtonProps extends Look, ButtonHTMLAttributes<HTMLButtonElement> {
  /** Shows a spinner and ignores presses. Width and focus stay. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

function look({ kind = 'secondary', small, wide }: Look, extra?: string): string | undefined {
  return classNames(styles.button, styles[kind], small && styles.small, wide && styles.wide, extra);
}

/** A button with a text and an optional icon. Its type is `button` by default. */
export function Button({
  kind,
  small,
  wide,
  icon,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={look({ kind, small, wide }, className)}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <span className={styles.spinner} aria-hidden="true" /> : icon}
      <span className={styles.text}>{children}</span>
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({ kind, small, wide, icon, className, children, ...rest }: Look & LinkProps) {
  return (
    <Link {...rest} className={look({ kind, small, wide }, className)}>
      {icon}
      <span className={styles.text}>{children}</span>
    </Link>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'wide'> {
  /** The accessible name, also shown as a tooltip. */
  label: string;
  icon: ReactNode;
}

/** A square button that shows only an icon. */
export function IconButton({
  label,
  icon,
  kind = 'quiet',
  small,
  busy = false,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={look({ kind, small }, classNames(styles.square, className))}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <span className={styles.spinner} aria-hidden="true" /> : icon}
    </button>
  );
}

/** Like IconButton, but a link. */
export function IconLink({
  label,
  icon,
  kind = 'quiet',
  small,
  className,
  ...rest
}: Look & LinkProps & { label: string }) {
  return (
    <Link
      aria-label={label}
      title={label}
      {...rest}
      className={look({ kind, small }, classNames(styles.square, className))}
    >
      {icon}
    </Link>
  );
}
