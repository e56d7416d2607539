/** `npm run bench` runs every script against a real Etherpad; `npm run bench signIn` one of them. */
import { folderList } from './folderList';
import { listInBrowser } from './listInBrowser';
import { padVisit } from './padVisit';
import { removePad } from './removePad';
import { signIn } from './signIn';
import { socketDoor } from './socketDoor';

const scripts = { padVisit, socketDoor, signIn, folderList, listInBrowser, removePad };

async function run(names: readonly string[]): Promise<void> {
  for (const [name, script] of Object.entries(scripts)) {
    if (names.length === 0 || names.includes(name)) await script();
  }
}

run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
