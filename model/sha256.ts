/** The SHA-256 of a text. */
import { createHash, hash } from 'node:crypto';

/**
 * `createHash` makes an object with memory outside of the heap, which stays until a garbage collection: hundreds of
 * thousands of them at the first start. Node before 20.12 has no `hash`.
 */
export const sha256: (text: string) => string =
  typeof hash === 'function'
    ? (text) => hash('sha256', text)
    : (text) => createHash('sha256').update(text).digest('hex');
