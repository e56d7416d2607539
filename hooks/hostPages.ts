/** Additions to Etherpad's own pages: hooks of its templates, and a link in the administration of 2.x and 3.x. */
import type { RequestHandler } from 'express';
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
 * Adds a link to the menu of the administration in 2.x and 3.x. They draw the menu in the browser and have no hook for
 * it: in 2.x as a list, in 3.x as links with two spans each.
 */
const linkInMenu = `<style>#wrapper.closed [data-mypads] { display: none }</style><script>
new MutationObserver(function () {
  var menu = document.querySelector('.sidebar-nav, .inner-menu ul');
  if (!menu || menu.querySelector('[data-mypads]')) return;
  var link = document.createElement('a');
  link.href = location.pathname.split('/admin')[0] + '/mypads/?/admin';
  link.className = 'sidebar-nav-item';
  link.innerHTML = '<span class="sidebar-nav-icon"></span><span class="sidebar-nav-label">MyPads</span>';
  var entry = menu.matches('ul') ? document.createElement('li') : link;
  if (entry !== link) entry.append(link);
  entry.setAttribute('data-mypads', '');
  menu.append(entry);
}).observe(document.documentElement, { childList: true, subtree: true });
</script>`;

/** Use it as `app.use('/admin', …)`. Changes the page that Etherpad answers with; scripts and styles pass unchanged. */
export const addToAdministration: RequestHandler = (_request, response, next) => {
  const end = response.end.bind(response) as (...content: unknown[]) => typeof response;
  response.end = ((content?: unknown, ...more: unknown[]) => {
    const isPage = response.statusCode === 200 && String(response.getHeader('Content-Type')) === 'text/html';
    const isText = typeof content === 'string' || Buffer.isBuffer(content);
    if (!isPage || !isText) return end(content, ...more);
    return end(String(content).replace('</body>', `${linkInMenu}</body>`), ...more);
  }) as typeof response.end;
  next();
};

/**
 * Etherpad's history only shows a bare sentence to readers who have lost the right, and on 2.x it loads no scripts of
 * plugins. This script asks for the page again, which leads to the app; a removed pad is known by its missing export.
 * Inside the editor of 3.x it does nothing, because the app would start there: the editor leads to the app itself.
 */
const explainDenial = `<script>
if (!window.frameElement || window.frameElement.id !== 'history-frame') new MutationObserver(function (changes, observer) {
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
