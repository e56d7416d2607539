/** What Helm makes of deploy/helm. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { findHelm } from '../../bin/programs';

export const chart = path.resolve(__dirname, '..', '..', 'deploy', 'helm');

export interface Container {
  name: string;
  image: string;
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string; subPath?: string }[];
  securityContext: Record<string, unknown>;
  readinessProbe?: { httpGet?: { path: string } };
  command?: string[];
}

export interface Pod {
  metadata: { labels: Record<string, string> };
  spec: {
    securityContext: Record<string, unknown>;
    automountServiceAccountToken: boolean;
    initContainers?: Container[];
    containers: Container[];
    volumes: {
      name: string;
      configMap?: { name: string };
      secret?: { secretName: string; items: { key: string }[] };
      persistentVolumeClaim?: { claimName: string };
    }[];
  };
}

type Selector = Record<string, string>;
type Peer = { podSelector?: { matchLabels: Selector }; namespaceSelector?: { matchLabels: Selector } };

/** As much of a manifest as the tests read. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  /** A ConfigMap has none. */
  spec?: {
    replicas?: number;
    selector?: Selector & { matchLabels?: Selector };
    template?: Pod;
    jobTemplate?: { spec: { template: Pod } };
    ports?: { port: number; targetPort: string }[];
    podSelector?: { matchLabels: Selector };
    ingress?: { from?: Peer[]; ports: { port: number }[] }[];
    egress?: { to?: Peer[]; ports: { port: number }[] }[];
    rules?: { host: string; http: { paths: { backend: { service: { name: string } } }[] } }[];
  };
}

let helm: string | undefined;
/** Each set of values is rendered once. */
const rendered = new Map<string, Manifest[]>();

/** Asks Helm about the chart with these values. `said`: what it prints, or why it refuses. */
export function askHelm(
  what: readonly string[],
  values: Record<string, unknown>,
): { done: boolean; said: string } {
  helm ??= findHelm();
  if (helm === undefined) throw new Error('Helm is missing');
  const { status, stdout, stderr } = spawnSync(helm, [...what, chart, '--values', '-'], {
    encoding: 'utf8',
    input: JSON.stringify(values),
  });
  return { done: status === 0, said: status === 0 ? stdout : stdout + stderr };
}

/** The manifests of a release `pads`. Throws with Helm's reason if it refuses. */
export function renderChart(values: Record<string, unknown>): Manifest[] {
  const key = JSON.stringify(values);
  const known = rendered.get(key);
  if (known) return known;
  const { done, said } = askHelm(['template', 'pads'], values);
  if (!done) throw new Error(said);
  const manifests: Manifest[] = parseAllDocuments(said).map((document) => document.toJS());
  rendered.set(key, manifests);
  return manifests;
}

/** A file of a ConfigMap, for example `settings.json` of `pads-settings`. */
export function fileOf(manifests: readonly Manifest[], map: string, file: string): string {
  const found = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === map);
  const text = found?.data?.[file];
  if (text === undefined) throw new Error(`no ${file} in ${map}`);
  return text;
}
