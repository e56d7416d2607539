/** Reads `coordination` from the block `ep_mypads` of Etherpad's settings file. docs/scaling.md describes it. */
import type { ConnectionOptions } from 'node:tls';
import type { RedisOptions } from 'ioredis';
import * as z from 'zod';

const server = z.strictObject({ host: z.string(), port: z.number().int().default(6379) });

const redisSchema = z.strictObject({
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. */
  url: z.url({ protocol: /^rediss?$/ }).optional(),
  /** The Sentinels, and the name under which they know the server. */
  sentinels: z.array(server).nonempty().optional(),
  name: z.string().default('mymaster'),
  username: z.string().optional(),
  password: z.string().optional(),
  sentinelPassword: z.string().optional(),
  db: z.number().int().nonnegative().optional(),
  /** `true`, or the options of Node's `tls.connect` that JSON can express: `ca`, `servername`, … */
  tls: z.union([z.boolean(), z.record(z.string(), z.unknown())]).optional(),
});

const schema = z.strictObject({
  // Not a union, whose errors would not say what is wrong.
  redis: z.preprocess(
    (redis) => (typeof redis === 'string' ? { url: redis } : redis),
    redisSchema.refine(({ url, sentinels }) => (url === undefined) !== (sentinels === undefined), {
      message: 'needs either url or sentinels',
    }),
  ),
  /** Beginning of all keys and channels; another one for each database that shares the Redis. */
  prefix: z
    .string()
    .regex(/^[\w.-]{1,40}$/)
    .default('ep_mypads'),
});

export interface RedisSettings {
  options: RedisOptions;
  prefix: string;
}

function tlsOf(tls: boolean | Record<string, unknown> | undefined): ConnectionOptions | undefined {
  if (tls === undefined || tls === false) return undefined;
  return tls === true ? {} : (tls as ConnectionOptions);
}

/** The options in a URL. User and password are still percent-encoded in `URL`. */
function fromUrl(text: string): RedisOptions {
  const { protocol, hostname, port, username, password, pathname } = new URL(text);
  return {
    host: hostname.replace(/^\[|\]$/g, '') || '127.0.0.1',
    port: Number(port || 6379),
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(pathname.length > 1 ? { db: Number(pathname.slice(1)) } : {}),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  };
}

/** Does not quote the invalid value, because it may contain a password. */
const reasonOf = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => `${path.join('.') || 'coordination'}: ${message}`).join('; ');

/**
 * `undefined` when the setting is missing: one process, nothing shared. Throws an error for the operator when it is
 * invalid.
 */
export function readRedisSettings(coordination: unknown): RedisSettings | undefined {
  if (coordination === undefined || coordination === null) return undefined;
  const read = schema.safeParse(coordination);
  if (!read.success) throw new Error(`ep_mypads.coordination is invalid: ${reasonOf(read.error)}`);
  const { redis, prefix } = read.data;
  const { url, sentinels, name, tls, ...rest } = redis;
  const secured = tlsOf(tls);
  return {
    prefix,
    options: {
      ...(url === undefined ? { sentinels, name } : fromUrl(url)),
      ...rest,
      ...(secured === undefined ? {} : { tls: secured, ...(sentinels ? { sentinelTLS: secured } : {}) }),
    },
  };
}
