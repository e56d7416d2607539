/** Our texts in the page of the editor, in the language that Etherpad shows it in. */
import { byLanguage, languageCodes, matchLanguage } from '../../model/languages';

/** esbuild bundles the files that match this pattern. A plugin in bin/buildServer.ts keeps only these texts. */
const texts = byLanguage(
  (code): Record<'editor.moved' | 'editor.movedTo', string> => require(`../../locales/${code}.json`),
);

export function textOf(key: 'editor.moved' | 'editor.movedTo'): string {
  return texts[matchLanguage([document.documentElement.lang], languageCodes) ?? 'en'][key];
}
