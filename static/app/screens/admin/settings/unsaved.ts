import { useEffect } from 'react';
import type { AdminSetting } from '../../../../../api/admin/schema';

type Key = AdminSetting['key'];
/** Saves what was typed for a setting. Resolves to the error if that fails. */
type Save = () => Promise<unknown>;

/** What was typed on the screen and is not saved. */
const unsaved = new Map<Key, Save>();

/** `save`: while the setting has an unsaved change. */
export function useUnsaved(key: Key, save: Save | undefined): void {
  useEffect(() => {
    if (save === undefined) return;
    unsaved.set(key, save);
    return () => void unsaved.delete(key);
  });
}

/** Whether something was typed that would be lost. */
export const hasUnsaved = (): boolean => unsaved.size > 0;

/** The settings for which something was typed that would be lost. */
export const unsavedKeys = (): Key[] => [...unsaved.keys()];

/** Saves what was typed for these settings. If one is refused, its field gets the focus, and the result is `false`. */
export async function saveAll(keys: readonly Key[]): Promise<boolean> {
  for (const key of keys) {
    if ((await unsaved.get(key)?.()) === undefined) continue;
    document.querySelector<HTMLElement>(`[data-setting="${key}"] :is(input, select, textarea)`)?.focus();
    return false;
  }
  return true;
}
