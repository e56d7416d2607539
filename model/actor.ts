/** Who makes the changes that run now, and what they are part of. Events say both, see events.ts. */
import * as z from 'zod';
import { AsyncScope } from './asyncScope';

export const eventActor = z.discriminatedUnion('kind', [
  /** `token`: the name of the API token with which they act. */
  z.object({ kind: z.literal('account'), id: z.string(), token: z.string().optional() }),
  /** A server administrator, by their name at Etherpad. `import`: what the changes of one import have in common. */
  z.object({
    kind: z.literal('administrator'),
    name: z.string(),
    token: z.string().optional(),
    import: z.string().optional(),
  }),
  /** Whoever has a mailed link of this account. */
  z.object({ kind: z.literal('link'), account: z.string() }),
  z.object({ kind: z.literal('guest') }),
  /** Background work, the settings file, Etherpad itself. */
  z.object({ kind: z.literal('server') }),
]);
export type EventActor = z.infer<typeof eventActor>;

export const eventWhole = z.enum(['accountRemoval', 'groupRemoval', 'padMove', 'failedCreation']);
export type EventWhole = z.infer<typeof eventWhole>;

export interface Origin {
  by: EventActor;
  /** The larger change that this one is a consequence of. */
  partOf?: EventWhole | undefined;
}

export const byServer: EventActor = { kind: 'server' };

const scopes = new AsyncScope<{ origin: Origin | undefined }>();

export const currentOrigin = (): Origin => scopes.value?.origin ?? { by: byServer };

/** What `work` has started and not awaited counts as done by the server as soon as `work` has ended. */
async function within<T>(origin: Origin, work: () => T | Promise<T>): Promise<T> {
  const scope: { origin: Origin | undefined } = { origin };
  try {
    return await scopes.run(scope, work);
  } finally {
    scope.origin = undefined;
  }
}

/** Runs `work`. Its changes are made by `by`. */
export const actingAs = <T>(by: EventActor, work: () => T | Promise<T>): Promise<T> => within({ by }, work);

/** Runs `work`. Its changes are part of `whole`, by the same actor. */
export const asPartOf = <T>(partOf: EventWhole, work: () => T | Promise<T>): Promise<T> =>
  within({ ...currentOrigin(), partOf }, work);
