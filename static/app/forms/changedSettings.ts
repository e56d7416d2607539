import { changedFields } from './changedFields';

interface Settings {
  visibility?: unknown;
  password?: unknown;
}

/**
 * The changed settings of a folder or pad. A password is sent with the visibility: if the record is no longer private,
 * the server would not keep the password.
 */
export function changedSettings<Fields extends Settings>(before: Fields, now: Fields): Partial<Fields> {
  const changed = changedFields(before, now);
  return changed.password ? { ...changed, visibility: now.visibility } : changed;
}
