import type { ButtonHTMLAttributes, ReactNode, RefObject } from 'react';
import { Link, type LinkProps } from '../navigation/location';
import styles from './Button.module.css';
import { classNames } from './classNames';
import { keepsFocus } from './keepFocus';

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
  ref?: RefObject<HTMLButtonElement | null>;
}

function look({ kind = 'secondary', small, wide }: Look, extra?: string): string | undefined {
  return classNames(styles.button, styles[kind], small && styles.small, wide && styles.wide, extra);
}

/** `keepsFocus`, which also sets `ref`. */
const withRef = (ref: RefObject<HTMLButtonElement | null>) => (button: HTMLButtonElement | null) => {
  const keep = keepsFocus(button);
  ref.current = button;
  return (): void => {
    keep();
    ref.current = null;
  };
};

/** What both kinds of buttons do. If it goes while it has the focus, the focus is kept near it. */
function PlainButton({ busy = false, icon, ref, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      // Lists have many buttons, and an effect for each would take longer.
      ref={ref ? withRef(ref) : keepsFocus}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={className}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <span className={styles.spinner} aria-hidden="true" /> : icon}
      {children}
    </button>
  );
}

/** A button with a text and an optional icon. Its type is `button` by default. */
export function Button({ kind, small, wide, className, children, ...rest }: ButtonProps) {
  return (
    <PlainButton {...rest} className={look({ kind, small, wide }, className)}>
      <span className={styles.text}>{children}</span>
    </PlainButton>
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
export function IconButton({ label, kind = 'quiet', small, className, ...rest }: IconButtonProps) {
  return (
    <PlainButton
      aria-label={label}
      title={label}
      {...rest}
      className={look({ kind, small }, classNames(styles.square, className))}
    />
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
