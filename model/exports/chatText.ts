/** A chat as a text file: a line for each message. */
import { dateFormat } from '../dateFormat';
import type { ChatMessage } from '../ports';

export interface ChatText {
  /** Whose messages are in it: a set has ids of authors. */
  of: 'all' | 'none' | ReadonlySet<string>;
  language: string;
}

const isOf = (of: ChatText['of'], { author }: ChatMessage): boolean =>
  typeof of === 'string' ? of === 'all' : author !== null && of.has(author);

/** Whatever a text editor shows as a new line. Otherwise a message, or a name, could look like several messages. */
const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** Nothing at all if there is no message. Lines after the first one of a message are indented. */
export async function* chatText(
  messages: AsyncIterable<ChatMessage>,
  { of, language }: ChatText,
): AsyncGenerator<string> {
  const times = dateFormat(language, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
  for await (const message of messages) {
    if (!isOf(of, message)) continue;
    const { name, text, time } = message;
    yield `[${times.format(time)} UTC] ${name.replace(lineBreak, ' ')}: ${text.replace(lineBreak, '\n    ')}\n`;
  }
}
