/** Sign-in services for tests that only need that passwords are not checked here. Nobody can sign in through them. */
import { createServer } from 'ldapjs';
import { ldapSettings } from './configuration';
import { succeeds, until } from './waiting';

/** Stores a setting: `app.model.configuration.set`, or a call of the API. */
type Set = (key: string, value: unknown) => Promise<unknown>;

/** Settings of a CAS server that does not exist. */
export const casSettings = { serverUrl: 'https://sso.example.org/cas' };

/** Switches to that CAS server. */
export async function chooseCas(set: Set): Promise<void> {
  await set('rootUrl', 'https://pads.example.org');
  await set('authCasSettings', casSettings);
  await set('authMethod', 'cas');
}

/** Switches to a directory that knows nobody. Returns a function that stops it. */
export async function chooseEmptyDirectory(set: Set): Promise<() => Promise<void>> {
  const server = createServer();
  const agree = (_request: unknown, response: { end(): void }): void => response.end();
  server.bind('', agree);
  server.search('', agree);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const store = () => set('authLdapSettings', ldapSettings({ url: server.url }));
  // On a busy machine, the process that asks the directory may start too late for the time limit.
  await until('the directory answers', () => succeeds(store()));
  await set('authMethod', 'ldap');
  return () => new Promise((resolve) => server.close(resolve));
}
