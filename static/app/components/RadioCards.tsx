import { type ReactNode, useId } from 'react';
import { classNames } from './classNames';
import styles from './RadioCards.module.css';

export interface RadioCard<Value extends string> {
  value: Value;
  label: string;
  /** A sentence that explains the choice. */
  help: string;
  icon?: ReactNode;
}

export interface RadioCardsProps<Value extends string> {
  /** The question that the cards answer. */
  label: string;
  cards: readonly RadioCard<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /**
   * `stacked`: one card a line, for narrow columns. `compact`: only the names are visible, and screen readers get the
   * sentences, so the choice must be explained elsewhere too.
   */
  layout?: 'stacked' | 'compact';
  /** Content that belongs to the chosen card, shown below all cards. */
  children?: ReactNode;
}

/** A choice between a few options with an explanation each. Uses native radio buttons. */
export function RadioCards<Value extends string>(props: RadioCardsProps<Value>) {
  const { label, cards, value, onChange, layout, children } = props;
  const name = useId();
  return (
    <fieldset>
      <legend className={styles.legend}>{label}</legend>
      <div
        className={classNames(
          styles.cards,
          layout && styles[layout],
          layout === 'compact' && cards.length === 4 && styles.inPairs,
        )}
      >
        {cards.map((card) => (
          <label key={card.value} className={styles.card}>
            <input
              type="radio"
              name={name}
              value={card.value}
              checked={card.value === value}
              onChange={() => onChange(card.value)}
              className={styles.radio}
              aria-labelledby={`${name}${card.value}-label`}
              aria-describedby={`${name}${card.value}-help`}
            />
            <span className={styles.name} id={`${name}${card.value}-label`}>
              {card.icon}
              {card.label}
            </span>
            <span
              className={layout === 'compact' ? 'visually-hidden' : styles.help}
              id={`${name}${card.value}-help`}
            >
              {card.help}
            </span>
          </label>
        ))}
      </div>
      {children}
    </fieldset>
  );
}
