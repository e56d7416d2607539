import type { TextMatch } from '../../data/textSearch';
import { withParameters } from '../../navigation/location';
import { folderOf, paths } from '../../navigation/paths';

/** The address of the pad, which opens at what was found. */
export function placeOf({ pad, excerpt }: TextMatch): string {
  const found = excerpt.find((part) => part.found)?.text;
  return withParameters(paths.pad(folderOf(pad), pad._id), { find: found });
}

/** A part of a text, with what was found marked. */
export function Excerpt({ excerpt }: Pick<TextMatch, 'excerpt'>) {
  return excerpt.map(({ text, found }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one excerpt never change their order
    found ? <mark key={index}>{text}</mark> : text,
  );
}
