/**
 * What people had typed into forms when another tab signed them out. The same person sees it again after signing in.
 * Also what a form takes over from another one. Only in memory, because it may contain passwords.
 */
import { pathOf } from '../navigation/path';

/** Forms with unsaved changes, and their values. */
const open = new Map<string, object>();
let kept = new Map<string, object>();
let owner: string | undefined;

/** Identifies a form: its screen and the names of its values. */
export const draftKey = (values: object, path = pathOf(location.search)): string =>
  `${path} ${Object.keys(values)}`;

/** Fills in the form of a screen that is about to be opened. */
export const fillIn = (path: string, values: object): void => void kept.set(draftKey(values, path), values);

/** Notes the unsaved values of a form, until the returned function is called. */
export function watchDraft(key: string, values: object): () => void {
  open.set(key, values);
  return () => open.delete(key);
}

/** The unsaved values of the forms of this screen. */
export const unsavedHere = (): readonly object[] =>
  [...open].flatMap(([key, values]) => (key === draftKey(values) ? [values] : []));

/** Keeps the values of all forms for this person. */
export function keepDrafts(person: string | undefined): void {
  owner = person;
  kept = new Map(open);
}

/** This person has signed in: forgets what somebody else typed. */
export function claimDrafts(person: string): void {
  if (person !== owner) kept.clear();
}

/** Whether values are kept. They are lost when the page is left. */
export const hasDrafts = (): boolean => kept.size > 0;

/** The kept values of a form. */
export const draftOf = (key: string): object | undefined => kept.get(key);

/** Forgets the kept values of a form. Call it when the form shows them. */
export const dropDraft = (key: string): void => void kept.delete(key);
