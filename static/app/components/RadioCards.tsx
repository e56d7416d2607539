import { type ReactNode, useId } from 'react';
import styles from './RadioCards.module.css';

export interface RadioCard<Value extends string> {
  value: Value;
  label: string;
  /** A sentence: what choosing this means. */
  help: string;
  icon?: ReactNode;
}

export interface RadioCardsProps<Value extends string> {
  /** The question they answer. */
  label: string;
  cards: readonly RadioCard<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** Something that belongs to the chosen card, shown below all of them. */
  children?: ReactNode;
}

/** One of a few, each with a sentence; native radio buttons underneath. */
export function RadioCards<Value extends string>({
  label,
  cards,
  value,
  onChange,
  children,
}: RadioCardsProps<Value>) {
  const name = useId();
  return (
    <fieldset>
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.cards}>
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
            <span className={styles.help} id={`${name}${card.value}-help`}>
              {card.help}
            </span>
          </label>
        ))}
      </div>
      {children}
    </fieldset>
  );
}
