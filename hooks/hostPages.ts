/** Additions to Etherpad's own pages. Etherpad calls these hooks from its templates. */
import { escapeHtml } from '../model/html';
import { currentRuntime } from './runtime';

interface Block {
  content: string;
}

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

/**
 * Etherpad's history replaces its page by one bare sentence when its reader may not see the pad any more, and on 2.x it
 * loads no scripts of plugins. This script loads the page again: the gate then leads to the app, which explains it.
 */
const reloadWhenDenied = `<script>
new MutationObserver(function () {
  if (document.querySelector('body > h2:only-child')) location.reload();
}).observe(document.documentElement, { childList: true, subtree: true });
</script>`;

export function eejsBlock_timesliderScripts(_name: string, block: Block): void {
  block.content += reloadWhenDenied;
}
