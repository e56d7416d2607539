/** The metrics of Etherpad itself, which 2.5.1 and later have. */
import { core } from './core';

type Prometheus = () => Promise<{ metrics(): Promise<string> }>;

function findPrometheus(): Prometheus | undefined {
  try {
    const found = core<unknown>('node/prometheus');
    return typeof found === 'function' ? (found as Prometheus) : undefined;
  } catch {
    return undefined;
  }
}

/** As text for Prometheus; `undefined` if this Etherpad has none. Call it only while Etherpad's database is open. */
export async function hostMetrics(): Promise<string | undefined> {
  const register = await findPrometheus()?.();
  return register?.metrics();
}
