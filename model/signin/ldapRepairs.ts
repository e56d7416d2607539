/**
 * What the LDAP client (ldapauth-fork 6.1.0 with ldapjs 3.0.7) gets wrong, put right in the process of the conversation, the only one that uses it.
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

/** `\xx` stands for a byte. */
function unescaped(text: string): string {
  const bytes = text.split(/(\\[0-9a-f]{2})/i).map((part, index) =>
    // Every second part is what the expression caught.
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
 * The client escapes what people type into the filter as RFC 4515 wants it, some of it twice, and then sends the escapes as they stand:
 * nobody with an accent or a bracket is ever found, and `*` finds whoever is called backslash-2a. This is the filter of the settings with `username` in place of each `{{username}}`. The name is put in after the text has been read, as a
 * value: whatever is in it, it is compared and never part of the filter's form. Throws when the template is no filter.
 */
export function filterFor(template: string, username: string): FilterString {
  const mark = `u${randomBytes(16).toString('hex')}`;
  const filter = parseString(template.trim().replaceAll('{{username}}', mark));
  return withTexts(filter, (text) => unescaped(text).replaceAll(mark, () => username));
}

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
 * The client forgets the backslash when it writes a distinguished name, so that the password is tried on somebody else's entry. From now
 * on it escapes everything unusual (RFC 4514).
 */
export function repairNames(): void {
  DN.prototype.toString = function (this: DN): string {
    return Array.from({ length: this.length }, (_, index) => written(this.rdnAt(index))).join(',');
  };
}

/**
 * With StartTLS the client asks for encryption and sends passwords in the same breath, in the clear. From now on it does nothing after a
 * success by itself, and the result resolves when every connection that has asked since the last call is encrypted. It never rejects:
 * the directory's `error` event tells.
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
