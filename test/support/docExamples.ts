/** The examples in docs/. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The examples in one language of a page. Those in lists are indented. */
export function examples(page: string, language: string): string[] {
  const text = readFileSync(resolve(__dirname, '../../docs', page), 'utf8');
  const blocks = text.matchAll(new RegExp(`^ *\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'gm'));
  return [...blocks].map(([, block = '']) => block);
}
