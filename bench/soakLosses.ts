/** Why connections of the load test were lost, according to the log of Etherpad. */

export interface Loss {
  reason: string;
  /** The id of the editor's author; empty if it had none. */
  author: string;
}

export interface ExplainedLosses {
  /** Reasons with what Etherpad's log says about this author. */
  unexpected: string[];
  /** How many losses were caused by Etherpad itself: see `isRace`. */
  races: number;
}

const warning =
  /Failed to apply USER_CHANGES from author (\S+) \(socket \S+\) on pad ([^\n]*(?:\n\s*\n[^\n]*)?)/g;

/**
 * Etherpad 2.7 and newer send missing revisions to everybody in a pad when somebody joins. If another person's change
 * is being written just then, they get it before it is confirmed, and Etherpad's own assertion about that order fails:
 * it disconnects them. This also happens without the plugin.
 */
function isRace(text: string): boolean {
  const [, sent, expected] = /AssertionError[^\n]*strictly equal:\s+(\d+) !== (\d+)\s*$/.exec(text) ?? [];
  return sent !== undefined && Number(sent) > Number(expected);
}

/** Separates the losses that Etherpad itself caused from the unexplained ones. Each warning explains one loss. */
export function explainLosses(losses: readonly Loss[], log: string): ExplainedLosses {
  const warnings = new Map<string, string[]>();
  for (const [, author = '', text = ''] of log.matchAll(warning)) {
    warnings.set(author, [...(warnings.get(author) ?? []), text]);
  }
  const unexpected: string[] = [];
  let races = 0;
  for (const { reason, author } of losses) {
    const said = reason.endsWith('badChangeset') ? warnings.get(author)?.shift() : undefined;
    if (said !== undefined && isRace(said)) races += 1;
    else
      unexpected.push(said === undefined ? reason : `${reason}: ${said.replace(/\s+/g, ' ').slice(0, 300)}`);
  }
  return { unexpected, races };
}
