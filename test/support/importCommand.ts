/** `ep-mypads import` in a process of its own, and for each test a server that it reaches over HTTP. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ListeningApp, startListeningApp, type TestApp, temporaryFolder } from './app';
import { type Call, callerOf } from './caller';
import { type CommandRun, useCommand } from './command';
import { signInAsAdmin } from './factories';

export interface ImportCommand {
  app: TestApp;
  /** As the server administrator. */
  admin: Call;
  /** Runs the command with a file that has this content. */
  run(text: string | Buffer, more?: string[], env?: object): Promise<CommandRun>;
}

/** Registers the hooks. `begin` is called before each test. */
export function useImportCommand(begin: (given: ImportCommand) => void): void {
  const folder = temporaryFolder();
  const command = useCommand();
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
      run(text, more = [], env = {}) {
        const file = join(folder.path, 'people.csv');
        writeFileSync(file, text);
        return command(['import', file, '--url', url, ...more], env);
      },
    });
  });
  afterEach(() => host.close());
  after(() => folder.remove());
}
