import { useMemo } from 'react';
import type { PadSummary } from '../../../../api/answers';
import type { Groups } from '../../data/folders';
import { keepResult } from '../../lib/keepResult';
import { bestMatches, searchable, wordsOf } from '../../lib/matching';
import { folderOf, paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';

const sharedThings = keepResult((shared: Groups['shared'], language: string) => {
  const byName = (one: SharedThing, other: SharedThing): number =>
    one.name.localeCompare(other.name, language);
  const folders = Object.values(shared.groups).map((folder) => ({ ...folder, pad: null }));
  const pads = Object.values(shared.pads).map((pad) => ({ _id: pad._id, name: pad.name, pad }));
  return [...folders.sort(byName), ...pads.sort(byName)].map((thing) => ({
    ...thing,
    searched: searchable(thing.name),
  }));
});

/** What is shared with the person, by name; with a search, what has a fitting name. Folders come first. */
export function useShared({ shared }: Pick<Groups, 'shared'>, text: string): SharedThing[] {
  const { language } = useTranslation();
  const all = sharedThings(shared, language);
  return useMemo(() => (text === '' ? all : bestMatches(all, wordsOf(text), all.length)), [all, text]);
}

/** A pad, or a folder that a kept link opens (`pad` is `null`). */
export interface SharedThing {
  _id: string;
  name: string;
  pad: PadSummary | null;
}

/** Where it is. */
export const pathOfShared = ({ _id, pad }: SharedThing): string =>
  pad === null ? paths.folder(_id) : paths.pad(folderOf(pad), _id);
