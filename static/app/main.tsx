import 'page:styles';
import { createRoot } from 'react-dom/client';
import { readSession } from './data/session';
import { reportToParent } from './frame';
import { firstLanguage, rememberedLanguage, showLanguage } from './i18n';
import { pathOf } from './location';
import { frameOf, loadMain } from './routes';
import { App } from './shell/App';

/** Without any texts there is nothing to show but what the server wrote into the page for this. */
function giveUp(): void {
  const failed = document.querySelector<HTMLTemplateElement>('#mypads-failed');
  if (failed !== null) document.getElementById('app')?.replaceChildren(failed.content.cloneNode(true));
}

/** A guest at the door needs the sign-in screen and nothing else for now. */
function wantsSignIn(): boolean {
  return readSession().token === null && frameOf(pathOf(location.search)) === 'card';
}

function start(): void {
  const element = document.getElementById('app');
  if (element === null) return;
  const root = createRoot(element);
  if (!wantsSignIn()) void loadMain().catch(() => undefined);
  root.render(<App />);
  showLanguage(firstLanguage([rememberedLanguage(), ...navigator.languages]))
    .catch(() => showLanguage('en'))
    .catch(() => {
      root.unmount();
      giveUp();
    });
}

if (!reportToParent()) start();
