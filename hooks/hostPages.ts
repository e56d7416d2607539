/** Adds links to the app to Etherpad's own pages. Etherpad's templates call these hooks, where they still have them. */
import { currentRuntime } from './runtime';

interface Block {
  content: string;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** The front page, below the form for a new pad. */
export function eejsBlock_indexWrapper(_name: string, block: Block): void {
  const title = currentRuntime()?.model.configuration.get('title');
  if (title === undefined) return;
  block.content += `<p style="text-align: center"><a href="mypads/">${escapeHtml(title)}</a></p>`;
}

/** The menu of the administration in 1.8.14. One of its pages is a level deeper and has other links. */
export function eejsBlock_adminMenu(_name: string, block: Block): void {
  const root = block.content.includes('href="../settings"') ? '../../' : '../';
  block.content += `<li><a href="${root}mypads/?/admin">MyPads</a></li>`;
}
