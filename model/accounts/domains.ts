/** The domains of e-mail addresses. Most accounts share a few of them, so a search compares each domain once. */

/** More domains than this are searched with the rest of each account. */
const maxDomains = 4_096;

/** Number of an account whose domain is not in the list. */
export const noDomain = 0;

/** A list of domains. Numbers start at 1 and stay. */
export class Domains {
  private readonly numbers = new Map<string, number>();
  private readonly domains = [''];

  /** The number of a domain in lower case, `noDomain` for `''` and when the list is full. */
  numberOf(domain: string): number {
    if (domain === '') return noDomain;
    const known = this.numbers.get(domain);
    if (known !== undefined) return known;
    if (this.numbers.size === maxDomains) return noDomain;
    this.numbers.set(domain, this.domains.length);
    return this.domains.push(`@${domain}`) - 1;
  }

  /** The domain with the `@` before it, `''` for `noDomain`. */
  textOf(number: number): string {
    return this.domains[number] ?? '';
  }
}

const [yes, no] = [1, 2];

/** The domains that contain a text. Each is compared when it is asked for, because new ones may come. */
export class DomainMatches {
  private readonly known = new Uint8Array(maxDomains + 1);

  constructor(
    private readonly text: string,
    private readonly domains: Domains,
  ) {
    this.known[noDomain] = no;
  }

  /** Whether the domain with this number contains the text; false for `noDomain`. */
  has(number: number): boolean {
    const known = this.known[number];
    return known === yes || (known !== no && this.compare(number));
  }

  private compare(number: number): boolean {
    const found = this.domains.textOf(number).includes(this.text);
    this.known[number] = found ? yes : no;
    return found;
  }
}
