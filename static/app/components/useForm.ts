import { type ChangeEvent, type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { type ErrorTexts, useErrorText } from '../errorText';
import { guardLeaving } from '../location';

export type FormErrors<Values> = { readonly [Name in keyof Values]?: string | undefined };

export interface FormOptions<Values> {
  initial: Values;
  /** What is wrong with the values, by field, in words; nothing is sent then. */
  check?: (values: Values) => FormErrors<Values>;
  /** Sends the values. What it throws is shown: at the field that the server names, else above the form. */
  submit: (values: Values) => Promise<unknown>;
  /** What an error key says in this form, where the usual text would be too general. */
  texts?: ErrorTexts;
}

export interface FormState<Values> {
  values: Values;
  /** Changes one value and takes its error away. */
  set: <Name extends keyof Values>(name: Name, value: Values[Name]) => void;
  errors: FormErrors<Values>;
  /** Why the last try failed as a whole, in words. */
  failure: string | null;
  busy: boolean;
  /** Something differs from `initial` and is not saved. */
  dirty: boolean;
  /** Counts the failed tries; the summary takes the focus when it grows. */
  failures: number;
  /** For Field: the input's id and what is wrong with it. */
  field: (name: keyof Values & string) => { id: string; error: string | undefined };
  /** For TextInput, PasswordInput, TextArea and Select: name, value, onChange. */
  text: (name: keyof Values & string) => {
    name: string;
    value: string;
    onChange: (event: ChangeEvent<TextElement>) => void;
  };
  /** For Checkbox and Switch: name, checked, onChange. */
  check: (name: keyof Values & string) => {
    name: string;
    checked: boolean;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
  onSubmit: (event: FormEvent) => void;
}

type TextElement = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * The state of a form, for the Form component. It cannot be sent twice at a time, keeps what was typed when sending fails, and while it
 * has unsaved changes, leaving the screen or the page asks first.
 */
export function useForm<Values extends object>(options: FormOptions<Values>): FormState<Values> {
  const errorText = useErrorText();
  const id = useId();
  const [initial] = useState(options.initial);
  const [values, setValues] = useState(options.initial);
  const [errors, setErrors] = useState<FormErrors<Values>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [failures, setFailures] = useState(0);
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const dirty = JSON.stringify(values) !== JSON.stringify(initial);

  useEffect(() => (dirty ? guardLeaving(() => !sending.current) : undefined), [dirty]);

  const fail = (found: FormErrors<Values>, text: string | null): void => {
    setErrors(found);
    setFailure(text);
    setFailures((count) => count + 1);
  };

  const send = async (): Promise<void> => {
    if (sending.current) return;
    const found = options.check?.(values) ?? {};
    if (Object.values(found).some((text) => text !== undefined)) return fail(found, null);
    sending.current = true;
    setBusy(true);
    setErrors({});
    setFailure(null);
    try {
      await options.submit(values);
    } catch (error) {
      const field = (error as { field?: unknown } | null)?.field;
      const text = errorText(error, options.texts);
      if (typeof field === 'string' && field in values) fail({ [field]: text } as FormErrors<Values>, null);
      else fail({}, text);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };

  const set = <Name extends keyof Values>(name: Name, value: Values[Name]): void => {
    setValues((now) => ({ ...now, [name]: value }));
    setErrors((now) => ({ ...now, [name]: undefined }));
  };

  return {
    values,
    set,
    errors,
    failure,
    busy,
    dirty,
    failures,
    field: (name) => ({ id: `${id}${name}`, error: errors[name] }),
    text: (name) => ({
      name,
      value: String(values[name] ?? ''),
      onChange: (event) => set(name, event.target.value as Values[typeof name]),
    }),
    check: (name) => ({
      name,
      checked: values[name] === true,
      onChange: (event) => set(name, event.target.checked as Values[typeof name]),
    }),
    onSubmit: (event) => {
      event.preventDefault();
      void send();
    },
  };
}
