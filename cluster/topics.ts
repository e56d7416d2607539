/**
 * What processes on one database tell each other: one topic for each kind of message, with the form of its content. A
 * message is checked when it arrives, because another process may run another version of the plugin.
 */
import * as z from 'zod';
import { domainEvent } from '../model/events';
import type { Messages } from '../model/ports';

const personsInPad = z.object({
  people: z.array(z.string()),
  guests: z.number(),
  named: z.array(z.object({ name: z.string(), link: z.string() })).optional(),
});

/** Change the version in `nameOf` when the form of a content changes. */
const topics: { [Topic in keyof Messages]: z.ZodType<Messages[Topic]> } = {
  written: z.string(),
  event: domainEvent,
  peopleSignedIn: z.int().nonnegative(),
  knownSignIn: z.string(),
  peopleInPads: z.object({
    from: z.string(),
    pads: z.record(z.string(), personsInPad),
  }),
};

type Topic = keyof Messages;
export type Message = { [Name in Topic]: { topic: Name; content: Messages[Name] } }[Topic];

/** The name under which a topic is sent. */
export const nameOf = (topic: Topic): string => `${topic} 7`;

const byName = new Map((Object.keys(topics) as Topic[]).map((topic) => [nameOf(topic), topic]));

/** A message as it has arrived. `undefined` if this version does not understand it. */
export function readMessage(name: string, content: unknown): Message | undefined {
  const topic = byName.get(name);
  const read = topic && topics[topic].safeParse(content);
  return read?.success ? ({ topic, content: read.data } as Message) : undefined;
}
