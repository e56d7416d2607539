/**
 * Fixes for bugs of the LDAP client (ldapauth-fork 6.1.0 with ldapjs 3.0.7), applied only in the process that uses it.
 */
import { randomBytes } from 'node:crypto';
import { DN, type RelativeName } from '@ldapjs/dn';
import {
  AndFilter,
  type FilterString,
  NotFilter,
  OrFilter,
  parseString,
  SubstringFilter,
} from '@ldapjs/filter';
import { Client } from 'ldapjs';
import addresses from 'ldapjs/lib/url';

/** Replaces each `\xx` by its byte. */
function unescaped(text: string): string {
  const bytes = text.split(/(\\[0-9a-f]{2})/i).map((part, index) =>
    // Every second part is a match of the expression.
    index % 2 === 1 ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part, 'utf8'),
  );
  return Buffer.concat(bytes).toString('utf8');
}

function withTexts(filter: FilterString, text: (given: string) => string): FilterString {
  const parts = (): FilterString[] => filter.clauses.map((clause) => withTexts(clause, text));
  if (filter instanceof AndFilter) return new AndFilter({ filters: parts() });
  if (filter instanceof OrFilter) return new OrFilter({ filters: parts() });
  if (filter instanceof NotFilter) return new NotFilter({ filter: withTexts(filter.filter, text) });
  if (filter instanceof SubstringFilter) {
    const { attribute, initial, any, final } = filter;
    return new SubstringFilter({ attribute, initial: text(initial), any: any.map(text), final: text(final) });
  }
  if (filter.value !== undefined) filter.value = text(filter.value);
  return filter;
}

/**
 * Builds the search filter with `username` in place of `{{username}}`. The name is inserted as a value after parsing,
 * so it cannot change the filter. Needed because the client escapes names twice or wrongly: names with accents or
 * brackets are never found. Throws when the template is no filter.
 */
export function filterFor(template: string, username: string): FilterString {
  const placeholder = `u${randomBytes(16).toString('hex')}`;
  const filter = parseString(template.trim().replaceAll('{{username}}', placeholder));
  return withTexts(filter, (text) => unescaped(text).replaceAll(placeholder, () => username));
}

/** The same with `*` in place of `{{username}}`: it finds everybody whom the template finds by some name. */
export const filterForAll = (template: string): FilterString =>
  withTexts(parseString(template.trim().replaceAll('{{username}}', '*')), unescaped);

function written(name: RelativeName): string {
  const pairs = [...name.keys()].map((key) => [key, name.getValue(key)] as const);
  if (!pairs.every(([, value]) => typeof value === 'string')) return name.toString();
  const escaped = (value: unknown): string =>
    [...Buffer.from(String(value), 'utf8')]
      .map((byte) => [byte, String.fromCharCode(byte)] as const)
      .map(([byte, letter]) =>
        /[A-Za-z0-9]/.test(letter) ? letter : `\\${byte.toString(16).padStart(2, '0')}`,
      )
      .join('');
  return pairs.map(([key, value]) => `${key}=${escaped(value)}`).join('+');
}

/**
 * Escapes special characters in distinguished names (RFC 4514). The client does not, so a password would be tried on
 * another entry.
 */
export function repairNames(): void {
  DN.prototype.toString = function (this: DN): string {
    return Array.from({ length: this.length }, (_, index) => written(this.rdnAt(index))).join(',');
  };
}

/** Fixes addresses such as `ldap://[::1]`: the client would ask for a host whose name has brackets. */
export function repairAddresses(): void {
  const { parse } = addresses;
  addresses.parse = (text) => {
    const address = parse(text);
    return { ...address, hostname: address.hostname.replace(/^\[|\]$/g, '') };
  };
}

/**
 * Fixes StartTLS: the client sends passwords before the connection is encrypted. Returns a function that waits until
 * all connections opened since its last call are encrypted. It never rejects; the client emits `error`.
 */
export function repairEncryption(): () => Promise<void> {
  const asked: Promise<void>[] = [];
  const { starttls } = Client.prototype;
  Client.prototype.starttls = function (this: Client, options, controls, callback) {
    const done = new Promise<void>((resolve) => {
      starttls.call(this, options, controls, (error) => {
        if (error) callback(error);
        else resolve();
      });
    });
    asked.push(done);
  };
  return async () => {
    await Promise.all(asked.splice(0));
  };
}
