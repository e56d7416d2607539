import { type ChangeEvent, type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { draftKey, draftOf, dropDraft, watchDraft } from '../forms/drafts';
import { useShown } from '../lib/useShown';
import { guardLeaving } from '../navigation/location';
import { type ErrorTexts, useErrorText } from '../texts/errorText';
import { isReported, toasts } from './Toasts';

export type FormErrors<Values> = { readonly [Name in keyof Values]?: string | undefined };

/** The result of a submit that has saved nothing. The values still count as changes that would be lost. */
export const notSaved = Symbol('not saved');

export interface FormOptions<Values> {
  initial: Values;
  /** Returns an error message for each field with a wrong value. The form is only sent without errors. */
  check?: (values: Values) => FormErrors<Values>;
  /**
   * Sends the values. `before`: those that were there first or were saved last. An error is shown at the field that the
   * server names, or else above the form. `notSaved` as the result: nothing was saved, for example because the person
   * has to answer a question first.
   */
  submit: (values: Values, before: Values) => Promise<unknown>;
  /** Texts for error keys that replace the general ones in this form. */
  texts?: ErrorTexts;
  /** No question is asked when the form is left. For forms whose values are quickly typed again, as to sign in. */
  mayBeLost?: boolean;
}

export interface FormState<Values> {
  values: Values;
  /** Changes a value and removes its error, and that of the last attempt. */
  set: <Name extends keyof Values>(name: Name, value: Values[Name]) => void;
  errors: FormErrors<Values>;
  /** The message of the last failed attempt, if it belongs to no field. */
  failure: string | null;
  busy: boolean;
  /** Whether a value differs from what was there first or was saved last. */
  dirty: boolean;
  /** Whether these changes may not be lost without a question. */
  guarded: boolean;
  /** Number of failed attempts. The summary takes the focus when it grows. */
  failures: number;
  /** For Field: the input's id and its error. */
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

/** A failed attempt: what was to be sent, and what the server answered; without `error`, `check` found wrong values. */
interface Attempt<Values> {
  values: Values;
  error?: unknown;
}

/** The texts at the fields, and the text for the form as a whole. */
type Messages<Values> = [FormErrors<Values>, string | null];

/** An error is shown at the field that the server names as the reason, or else for the form as a whole. */
function messagesOf<Values extends object>(
  { values, error }: Attempt<Values>,
  { check, texts }: FormOptions<Values>,
  errorText: ReturnType<typeof useErrorText>,
): Messages<Values> {
  if (error === undefined) return [check?.(values) ?? {}, null];
  const text = errorText(error, texts);
  const field = (error as { field?: unknown } | null)?.field;
  if (typeof field !== 'string' || !(field in values)) return [{}, text];
  return [{ [field]: text } as FormErrors<Values>, null];
}

const hasErrors = (errors: object): boolean => Object.values(errors).some((text) => text !== undefined);

/**
 * The last failed attempt. Its texts are made when they are shown, so that they follow the language of the page.
 * `values`: the present ones. What another field has put right meanwhile is no error any more.
 */
function useAttempt<Values extends object>(options: FormOptions<Values>, values: Values) {
  const errorText = useErrorText();
  const [attempt, setAttempt] = useState<Attempt<Values> | null>(null);
  const [changed, setChanged] = useState<ReadonlySet<keyof Values>>(new Set());
  const [failures, setFailures] = useState(0);
  const [found, failure]: Messages<Values> = attempt ? messagesOf(attempt, options, errorText) : [{}, null];
  const errors = { ...found };
  const still = attempt?.error === undefined && hasErrors(found) ? options.check?.(values) : found;
  for (const name of Object.keys(found) as (keyof Values)[])
    if (changed.has(name) || still?.[name] === undefined) delete errors[name];
  return {
    errors,
    failure: changed.size > 0 ? null : failure,
    failures,
    clear: () => setAttempt(null),
    fail: (failed: Attempt<Values>) => {
      setAttempt(failed);
      setChanged(new Set());
      setFailures((count) => count + 1);
    },
    change: (name: keyof Values) => setChanged((names) => new Set(names).add(name)),
  };
}

/** The values of a form: those that were kept while the person was signed out, or else `initial`. */
function useValues<Values extends object>(initial: Values) {
  const [key] = useState(() => draftKey(initial));
  const [values, setValues] = useState<Values>(() => ({ ...initial, ...draftOf(key) }));
  useEffect(() => dropDraft(key), [key]);
  return { key, values, setValues };
}

/**
 * State of a form, for the component Form. It cannot be submitted twice at the same time, and keeps its values if that
 * fails, and while another tab has signed the person out. Before unsaved changes are left, a question is asked.
 */
export function useForm<Values extends object>(options: FormOptions<Values>): FormState<Values> {
  const id = useId();
  const [initial, setInitial] = useState(options.initial);
  const { key, values, setValues } = useValues(options.initial);
  const { clear, fail, change, ...messages } = useAttempt(options, values);
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const shown = useShown();
  const errorText = useErrorText();
  const dirty = JSON.stringify(values) !== JSON.stringify(initial);

  const guarded = dirty && !options.mayBeLost;
  useEffect(() => (guarded ? guardLeaving(() => !sending.current) : undefined), [guarded]);
  useEffect(() => (guarded ? watchDraft(key, values) : undefined), [guarded, key, values]);

  const send = async (): Promise<void> => {
    if (sending.current) return;
    if (hasErrors(options.check?.(values) ?? {})) return fail({ values });
    sending.current = true;
    setBusy(true);
    clear();
    try {
      const result = await options.submit(values, initial);
      if (result !== notSaved) setInitial(values);
    } catch (error) {
      // The person has gone on to another screen, and what they had typed is lost.
      if (!shown.current && !options.mayBeLost) toasts.error(errorText(error));
      else if (!isReported(error)) fail({ values, error });
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };

  const set = <Name extends keyof Values>(name: Name, value: Values[Name]): void => {
    setValues((now) => ({ ...now, [name]: value }));
    change(name);
  };

  return {
    ...messages,
    values,
    set,
    busy,
    dirty,
    guarded,
    field: (name) => ({ id: `${id}${name}`, error: messages.errors[name] }),
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
