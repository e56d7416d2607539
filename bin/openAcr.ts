/** The accessibility conformance report of docs/accessibility.md in the OpenACR format (VPAT 2.5, WCAG edition). */
import { stringify } from 'yaml';
import manifest from '../package.json';

/** What the page says, and what the format calls it. */
const levels: Readonly<Record<string, string>> = {
  yes: 'supports',
  partly: 'partially-supports',
  no: 'does-not-support',
  '–': 'not-applicable',
};

interface Criterion {
  num: string;
  level: string;
  components: { name: string; adherence: { level: string; notes?: string } }[];
}

/** A row such as `| 1.1.1 Non-text Content | A | yes | partly | Remarks |`. Throws for another word than in `levels`. */
function criterionOf(row: string): Criterion {
  const [, name = '', level = '', app = '', editor = '', notes = ''] = row
    .split('|')
    .map((cell) => cell.trim());
  const component = (title: string, word: string) => {
    const adherence = levels[word];
    if (adherence === undefined) throw new Error(`docs/accessibility.md: “${word}” in ${name}`);
    return { name: title, adherence: { level: adherence, ...(notes !== '' && { notes }) } };
  };
  return {
    num: name.split(' ')[0] ?? '',
    level,
    components: [component('web', app), component('authoring-tool', editor)],
  };
}

/** openacr.yaml for this text of docs/accessibility.md. */
export function openAcr(page: string): string {
  const [, table = ''] = /<!-- criteria -->\n([\s\S]*?)<!-- end -->/.exec(page) ?? [];
  const criteria = table.trim().split('\n').slice(2).map(criterionOf);
  const chapter = (level: string) => ({
    criteria: criteria
      .filter((one) => one.level === level)
      .map(({ num, components }) => ({ num, components })),
  });
  const report = {
    title: 'ep_mypads Accessibility Conformance Report',
    product: { name: manifest.name, version: manifest.version, description: manifest.description },
    author: { name: 'The makers of ep_mypads', email: 'accessibility@ep-mypads.example.org' },
    version: 1,
    notes: 'Made by `npm run docs` from docs/accessibility.md, which says how the app was examined.',
    evaluation_methods_used:
      'axe-core on every screen, keyboard alone, text spacing, reflow, forced colours, accessibility tree.',
    license: 'Apache-2.0',
    catalog: '2.5-edition-wcag-2.2-en',
    chapters: { success_criteria_level_a: chapter('A'), success_criteria_level_aa: chapter('AA') },
  };
  return stringify(report, { lineWidth: 0 });
}
