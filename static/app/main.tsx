import { createRoot } from 'react-dom/client';
import { toasts } from './components/Toasts';
import { readSession } from './data/session';
import { reportToParent } from './editorFrame/frame';
import { pathOf } from './navigation/location';
import { frameOf, loadMain, startsInField } from './routes';
import { App } from './shell/App';
import { catchKeys } from './shell/typedAhead';
import { firstLanguage, languageProblem, rememberedLanguage, showLanguage, translate } from './texts/i18n';

/** Texts cannot be loaded. Shows the message that the server wrote into the page. */
function showLoadFailure(): void {
  const failed = document.querySelector<HTMLTemplateElement>('#mypads-failed');
  if (failed !== null) document.getElementById('app')?.replaceChildren(failed.content.cloneNode(true));
}

/** Whether the first screen needs the area `main`. A guest's sign-in screen does not. */
function wantsMain(): boolean {
  const frame = frameOf(pathOf(location.search));
  return frame === 'page' || (frame === 'card' && readSession().token !== null);
}

function start(): void {
  const element = document.getElementById('app');
  if (element === null) return;
  const root = createRoot(element);
  catchKeys(
    () => readSession().token !== null && wantsMain(),
    () => startsInField(pathOf(location.search), readSession().token !== null),
  );
  if (wantsMain()) void loadMain().catch(() => undefined);
  root.render(<App />);
  showLanguage(firstLanguage([rememberedLanguage(), ...navigator.languages]))
    .catch(async () => {
      await showLanguage('en');
      toasts.error(translate(languageProblem));
    })
    .catch(() => {
      root.unmount();
      showLoadFailure();
    });
}

if (!reportToParent()) start();
