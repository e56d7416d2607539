/** Lists everybody in a directory, page by page (RFC 2696). For the process of ldapConversation.ts. */
import type { Options } from 'ldapauth-fork';
import { type Client, createClient, PagedResultsControl, type SearchResult } from 'ldapjs';
import { filterForAll } from './ldapRepairs';

type Page = { entries: Record<string, unknown>[]; isLast: boolean };

/** People on one page. Each page is one message to the parent, which asks for the next when it has used it. */
const pageSize = 250;
/** Seconds that the directory may take for one page. */
const searchTime = 60;

const cookieOf = ({ controls }: SearchResult): Buffer | undefined => {
  const found = controls.find((control) => control instanceof PagedResultsControl);
  return found?.value.cookie.length ? found.value.cookie : undefined;
};

export class LdapListing {
  private readonly client: Client;
  private readonly ready: Promise<void>;
  /** Rejects when the connection fails, also while nothing is asked. */
  private readonly broken: Promise<never>;
  /** Where the next page begins. */
  private cookie: Buffer | undefined;

  /** `encryption`: resolves when StartTLS is done. */
  constructor(
    private readonly options: Options,
    encryption: () => Promise<void>,
  ) {
    const { url, tlsOptions, timeLimit, strictDN } = options;
    this.client = createClient({ url, tlsOptions, timeLimit, strictDN });
    this.broken = new Promise((_, reject) => {
      for (const event of ['error', 'connectError', 'connectTimeout', 'setupError'] as const)
        this.client.on(event, (error: unknown) => reject(error ?? new Error(event)));
      // The client would keep the next question for another connection, and wait.
      this.client.on('close', () => reject(new Error('the directory has closed the connection')));
      if (options.starttls) this.client.starttls(tlsOptions, [], reject);
    });
    this.broken.catch(() => {});
    this.ready = encryption().then(() => this.bind());
    this.ready.catch(() => {});
  }

  nextPage(): Promise<Page> {
    return Promise.race([this.ready.then(() => this.search()), this.broken]);
  }

  close(): void {
    this.client.unbind();
  }

  private bind(): Promise<void> {
    // All names that the client of sign-ins accepts, in its order.
    const { bindDn, bindDN, adminDn, bindCredentials, Credentials, adminPassword } = this
      .options as unknown as Record<string, string | undefined>;
    const name = bindDn ?? bindDN ?? adminDn;
    if (name === undefined) return Promise.resolve();
    const password = bindCredentials ?? Credentials ?? adminPassword ?? '';
    return new Promise((resolve, reject) => {
      this.client.bind(name, password, (error) =>
        error ? reject(new Error(`bindDN was refused: ${error.name}: ${error.message}`)) : resolve(),
      );
    });
  }

  private search(): Promise<Page> {
    const { searchBase, searchFilter, searchScope = 'sub', searchAttributes } = this.options;
    const control = new PagedResultsControl({ value: { size: pageSize, cookie: this.cookie ?? null } });
    const asked = {
      filter: filterForAll(searchFilter),
      scope: searchScope,
      attributes: searchAttributes,
      timeLimit: searchTime,
    };
    return new Promise((resolve, reject) => {
      this.client.search(searchBase, asked, [control], (error, result) => {
        if (error) return reject(error);
        const entries: Page['entries'] = [];
        result.on('searchEntry', ({ pojo }) => {
          entries.push(Object.fromEntries(pojo.attributes.map(({ type, values }) => [type, values])));
        });
        result.on('error', reject);
        result.on('end', (end) => {
          if (end.status !== 0) return reject(new Error(`the search ended with the result ${end.status}`));
          // A directory without pages has sent everybody, and no control.
          this.cookie = cookieOf(end);
          resolve({ entries, isLast: this.cookie === undefined });
        });
      });
    });
  }
}
