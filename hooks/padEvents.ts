/** What Etherpad does with a pad: its text changed, or the pad was created, copied or removed. */
import { editorOf, forgetPad } from './openEditors';
import { currentRuntime } from './runtime';

/** `authorId`: since 2.0, where reading `author` logs a warning. */
interface PadUpdate {
  pad: { id: string };
  authorId?: string;
  author?: string;
}

/** Called for every change of a pad's text. */
export function padUpdate(_name: string, context: PadUpdate): void {
  const { model, log } = currentRuntime() ?? {};
  const { id } = context.pad;
  const editor = editorOf(id, context.authorId ?? context.author);
  model?.pads.touch(id, editor)?.catch((error: unknown) => {
    log?.warn('storing the edit time of a pad failed', { pad: id, error: String(error) });
  });
}

/** The pad of a hook. Read the newer name first: in newer Etherpads the older names are getters that log a warning. */
interface PadContext {
  pad?: { id: string };
  padID?: string;
  dstPad?: { id: string };
  destinationID?: string;
}

/** Etherpad has removed a pad, for us or by itself: on its administration page, by its API, or by copying over it. */
export function padRemove(_name: string, context: PadContext): void {
  const id = context.pad?.id ?? context.padID;
  const { model, log } = currentRuntime() ?? {};
  // At once: Etherpad has just removed the record of the pad.
  if (id !== undefined) forgetPad(id);
  if (id === undefined || !model) return;
  const settle = async (): Promise<void> => {
    // Otherwise the search would still find the old text, until somebody writes in the pad.
    if (await model.removals.padVanished(id)) await model.pads.touch(id);
  };
  settle().catch((error: unknown) => {
    log?.error('cleaning up after a removed pad failed', { pad: id, error: String(error) });
  });
}

function reportPadAppeared(id: string | undefined): void {
  const { model, log } = currentRuntime() ?? {};
  if (id === undefined) return;
  model?.removals.padAppeared(id).catch((error: unknown) => {
    log?.error('restoring the record of a pad failed; it stays closed for now', {
      pad: id,
      error: String(error),
    });
  });
}

/** Etherpad has copied a pad, perhaps over one that it removed for this. */
export function padCopy(_name: string, context: PadContext): void {
  reportPadAppeared(context.dstPad?.id ?? context.destinationID);
}

/** Etherpad has created a pad, perhaps one that it removed a moment ago. */
export function padCreate(_name: string, { pad }: PadContext): void {
  reportPadAppeared(pad?.id);
}
