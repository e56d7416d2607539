import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Link, type LinkProps } from '../location';
import styles from './Button.module.css';
import { classNames } from './classNames';

/** `primary`: the one thing a screen is for. `quiet`: no frame until it is pointed at. `danger`: takes something away for good. */
export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';

interface Look {
  /** `secondary` unless told. */
  kind?: ButtonKind;
  small?: boolean;
  /** As wide as its surroundings. */
  wide?: boolean;
  icon?: ReactNode;
}

export interface ButtonProps extends Look, ButtonHTMLAttributes<HTMLButtonElement> {
  /** Shows that it works and takes no further press; keeps its width and the focus. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

function look({ kind = 'secondary', small, wide }: Look, extra?: string): string | undefined {
  return classNames(styles.button, styles[kind], small && styles.small, wide && styles.wide, extra);
}

/** A button with a text, perhaps an icon before it. `type="button"` unless told. */
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

/** Looks like a button, is a link: for going somewhere. */
export function LinkButton({ kind, small, wide, icon, className, children, ...rest }: Look & LinkProps) {
  return (
    <Link {...rest} className={look({ kind, small, wide }, className)}>
      {icon}
      <span className={styles.text}>{children}</span>
    </Link>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'wide'> {
  /** Its name for everybody: read aloud, and shown when pointed at. */
  label: string;
  icon: ReactNode;
}

/** A square button with nothing but an icon. */
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

/** As IconButton, for going somewhere. */
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
