/** `ep-mypads import`, and for each test a server that it reaches over HTTP. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { importPeople } from '../../cli/importPeople';
import { OperatorError } from '../../host/standalone';
import { type ListeningApp, startListeningApp, type TestApp, temporaryFolder } from './app';
import { type Call, callerOf } from './caller';
import type { CommandRun, RunCommand } from './command';
import { signInAsAdmin } from './factories';

export interface ImportCommand {
  app: TestApp;
  /** As the server administrator. */
  admin: Call;
  /** Runs the command with a file that has this content, in this process or with `command`. */
  run(text: string | Buffer, more?: string[], env?: object, command?: RunCommand): Promise<CommandRun>;
  /** The logins of the managers and writers of each folder: `ada / bob,eve`. */
  folders(): Promise<Record<string, string>>;
}

let output = '';
let loaded: typeof importPeople | undefined;

/** Its module keeps the function that prints, as it is when the module is loaded. */
async function load(): Promise<typeof importPeople> {
  const { write } = process.stdout;
  process.stdout.write = (text) => {
    output += text;
    return true;
  };
  try {
    return (await import('../../cli/importPeople')).importPeople;
  } finally {
    process.stdout.write = write;
  }
}

/** As the command in a process of its own, which would load its modules at each run. */
async function runHere([, ...args]: readonly string[], env: object = {}): Promise<CommandRun> {
  loaded ??= await load();
  const before = process.env;
  process.env = { ...before, MYPADS_ADMIN: 'root', MYPADS_PASSWORD: 'rootroot', ...env };
  output = '';
  try {
    const code = await loaded(args);
    return { code, said: output };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { code: 2, said: `${output}${error.message}\n` };
  } finally {
    process.env = before;
  }
}

async function foldersOf(admin: Call): Promise<Record<string, string>> {
  const { body } = await admin('get', 'admin/groups');
  const rows = await Promise.all(
    body.groups.map(async ({ _id, name }: { _id: string; name: string }) => {
      const { value, users } = (await admin('get', `group/${_id}`)).body;
      const loginsOf = (ids: string[]) => ids.map((id) => users[id].login).sort();
      return [name, `${loginsOf(value.admins)} / ${loginsOf(value.users)}`];
    }),
  );
  return Object.fromEntries(rows);
}

/** Registers the hooks. `begin` is called before each test. */
export function useImportCommand(begin: (given: ImportCommand) => void): void {
  const folder = temporaryFolder();
  let host: ListeningApp;
  beforeEach(async () => {
    host = await startListeningApp();
    const { app, url } = host;
    const admin = callerOf(app, await signInAsAdmin(app));
    // A first start looks for removals of 1.x.
    await app.idle();
    begin({
      app,
      admin,
      folders: () => foldersOf(admin),
      run(text, more = [], env = {}, command = runHere) {
        const file = join(folder.path, 'people.csv');
        writeFileSync(file, text);
        return command(['import', file, '--url', url, ...more], env);
      },
    });
  });
  afterEach(() => host.close());
  after(() => folder.remove());
}
