/** The SHA-256 of a text, and names that are made with it. */
import { createHash, hash } from 'node:crypto';

/**
 * `createHash` makes an object with memory outside of the heap, which stays until a garbage collection: hundreds of
 * thousands of them at the first start. Node before 20.12 has no `hash`.
 */
export const sha256: (text: string) => string =
  typeof hash === 'function'
    ? (text) => hash('sha256', text)
    : (text) => createHash('sha256').update(text).digest('hex');

/** The name of a session or API token in answers. Its id stays on the server: session tokens contain it. */
export const handleOf = ({ _id }: { _id: string }): string => sha256(_id).slice(0, 32);
