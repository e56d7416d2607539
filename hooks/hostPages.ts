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
 * loads no scripts of plugins. This script asks for the page again. The gate redirects readers who have lost the right
 * to the app, and refuses a pad that is being removed; a removed pad has no export. The app explains all of these.
 * Etherpad's sentence stays for other pads.
 */
const explainDenial = `<script>
new MutationObserver(function (changes, observer) {
  if (!document.querySelector('body > h2:only-child')) return;
  observer.disconnect();
  var pad = location.pathname.split('/').slice(-2)[0];
  function explain() {
    location.replace('../../mypads/?/mypads/group/-/pad/view/' + pad);
  }
  fetch(location.href, { headers: { Accept: 'text/html' } }).then(function (page) {
    if (page.redirected) return location.replace(page.url);
    if (!page.ok) return explain();
    return fetch('export/txt', { method: 'HEAD' }).then(function (text) {
      if (text.status === 404) explain();
    });
  });
}).observe(document.documentElement, { childList: true, subtree: true });
</script>`;

export function eejsBlock_timesliderScripts(_name: string, block: Block): void {
  block.content += explainDenial;
}
