import 'page:styles';
import { createRoot } from 'react-dom/client';
import { reportToParent } from './frame';
import { firstLanguage, rememberedLanguage, showLanguage } from './i18n';
import { App } from './shell/App';

/** Without any texts there is nothing to show but what the server wrote into the page for this. */
function giveUp(): void {
  const failed = document.querySelector<HTMLTemplateElement>('#mypads-failed');
  if (failed !== null) document.getElementById('app')?.replaceChildren(failed.content.cloneNode(true));
}

function start(): void {
  const element = document.getElementById('app');
  if (element === null) return;
  const root = createRoot(element);
  root.render(<App />);
  showLanguage(firstLanguage([rememberedLanguage(), ...navigator.languages]))
    .catch(() => showLanguage('en'))
    .catch(() => {
      root.unmount();
      giveUp();
    });
}

if (!reportToParent()) start();
