import { memo, startTransition, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { cutText } from '../../../../model/cutText';
import type { ChoiceSection } from '../../components/ChoiceList';
import { PadIcon, SearchIcon } from '../../components/screenIcons';
import { useSettings } from '../../data/configuration';
import { useGroups } from '../../data/folders';
import { usePadNames, useRecentPads } from '../../data/pads';
import { type TextMatch, useTextSearch } from '../../data/textSearch';
import { bestMatches, searchable, wordsOf } from '../../lib/matching';
import { withParameters } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { placeOf } from '../search/Excerpt';
import { type Entries, type Entry, useEntries } from './entries';
import type { ResultsProps } from './Palette';

/** The screens before a search. */
const startScreens = new Set([paths.folders, '/mybookmarks', paths.userLists, paths.account, 'shortcuts']);

/** Maximum number of results, and of pads before a search. */
const resultsShown = 30;
const recentShown = 6;

/** What is shown before anything is typed: recently opened pads, actions, and the person's screens. */
function useStart(entries: Entries, target: ResultsProps['target']): ChoiceSection<Entry>[] {
  const { t } = useTranslation();
  const { data: recent = [] } = useRecentPads();
  const ids = new Set(recent.slice(0, recentShown).map(({ _id }) => `pad-${_id}`));
  return [
    { heading: t('nav.recent'), choices: entries.pads.slice(0, recentShown).filter(({ id }) => ids.has(id)) },
    {
      heading: t('palette.actions'),
      choices: entries.creating.filter(
        ({ id }) => id === `new-${target?._id}` || id === 'new-pad' || id === 'new-folder',
      ),
    },
    {
      heading: t('palette.places'),
      choices: entries.screens.filter(({ href, id }) => startScreens.has(href ?? id)),
    },
  ];
}

/**
 * False at first: thousands of pads are prepared for the search when the palette and the first letters are on the
 * screen.
 */
function usePrepared(): boolean {
  const [prepared, setPrepared] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setPrepared(true)), 100);
    return () => clearTimeout(timer);
  }, []);
  return prepared;
}

/** Milliseconds without a key until texts are searched, and fewest characters: most Chinese words have two. */
const textPause = 200;
const leastText = 2;
const matchesShown = 4;

/** Characters of an excerpt before what was found, and in all. */
const before = 16;
const excerptLength = 60;

function hintOf({ excerpt }: TextMatch): string {
  const at = excerpt.findIndex(({ found }) => found);
  const textOf = (parts: TextMatch['excerpt']): string => parts.map(({ text }) => text).join('');
  // From the beginning of a word on.
  const lead = textOf(excerpt.slice(0, at))
    .slice(-before)
    .replace(/^\S*\s?/, '');
  return cutText(`…${lead}${textOf(excerpt.slice(at))}`, excerptLength);
}

/** Pads with these words in their text, and an entry that searches on the screen for it. */
function useInTexts(text: string): Entry[] {
  const { t } = useTranslation();
  const { searchTexts } = useSettings();
  const wanted = searchTexts && text.trim().length >= leastText ? text.trim() : '';
  const [searched, setSearched] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearched(wanted), textPause);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data, isPlaceholderData } = useTextSearch({ text: searched, limit: matchesShown });
  if (wanted === '') return [];
  const matches = searched === wanted && !isPlaceholderData ? (data?.value ?? []) : [];
  const label = t('search.for', { text: wanted });
  const shared = { searched: searchable(label), bonus: 0 };
  return [
    ...matches.map((match) => ({
      ...shared,
      id: `text-${match.pad._id}`,
      label: match.pad.name,
      hint: hintOf(match),
      icon: <PadIcon />,
      href: placeOf(match),
    })),
    {
      ...shared,
      id: 'search-texts',
      label,
      icon: <SearchIcon />,
      href: withParameters(paths.search, { q: wanted }),
    },
  ];
}

/**
 * What the palette finds. It shows nothing itself: the field must stay the same element when this has been loaded, or
 * an input method would lose what is being composed. Rendered again only for another text or other data.
 */
export const Results = memo(function Results({ target, text, onFound }: ResultsProps) {
  const { t } = useTranslation();
  const words = useMemo(() => wordsOf(text), [text]);
  const prepared = usePrepared();
  const entries = useEntries(target, prepared);
  const start = useStart(entries, target);
  const inTexts = useInTexts(text);
  const isLoading = [useGroups().isLoading, usePadNames().isLoading].includes(true);
  const { here, pads, folders, creating, lists, screens, administration } = entries;
  useLayoutEffect(() => {
    if (words.length === 0) return onFound({ text, sections: start, empty: '' });
    if (!prepared) return;
    // No results of a part: Enter would open the best of them, not the pad that is still loading.
    if (isLoading) return onFound({ text, sections: [], empty: t('state.loading') });
    const all = [...here, ...pads, ...folders, ...creating, ...lists, ...screens, ...administration];
    const choices = bestMatches(all, words, resultsShown, (entry) => entry.bonus);
    const nothing = t('palette.nothing', { text });
    // The last entry leads to the search; it is no match.
    const heading = choices.length === 0 && inTexts.length < 2 ? nothing : t('search.palette');
    onFound({ text, sections: [{ choices }, { heading, choices: inTexts }], empty: nothing });
  });
  return null;
});
