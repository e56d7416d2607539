/** What kubectl makes of deploy/kubernetes, with each of its parts. Names, ports, labels and secrets must fit. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { findKubectl } from '../../bin/programs';
import { temporaryFolder } from '../support/app';

const source = resolve(__dirname, '..', '..', 'deploy', 'kubernetes');

interface Container {
  name: string;
  image: string;
  env?: { name: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
  volumeMounts?: { name: string; mountPath: string }[];
  securityContext: Record<string, unknown>;
  command?: string[];
}
interface PodSpec {
  securityContext?: Record<string, unknown>;
  automountServiceAccountToken: boolean;
  initContainers?: Container[];
  containers: Container[];
  volumes?: { name: string; persistentVolumeClaim?: { claimName: string } }[];
}
interface Rendered {
  kind: string;
  metadata: { name: string };
  spec: {
    template?: { metadata: { labels: object }; spec: PodSpec };
    jobTemplate?: { spec: { template: { metadata: { labels: object }; spec: PodSpec } } };
    podSelector?: { matchLabels: object };
    policyTypes?: string[];
    ingress?: { ports: { port: number }[] }[];
    egress?: { ports: { port: number }[] }[];
  };
}

describe('deploy/kubernetes', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  /** Renders Etherpad with these parts. */
  function render(...parts: string[]): Rendered[] {
    const copy = join(folder.path, parts.join('+') || 'none');
    cpSync(source, copy, { recursive: true });
    const file = join(copy, 'kustomization.yaml');
    const kustomization = parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...kustomization, components: parts }));
    const text = execFileSync(findKubectl() ?? 'kubectl', ['kustomize', copy], { encoding: 'utf8' });
    return parseAllDocuments(text).map((document) => document.toJS());
  }
  const all = () => render('backup', 'network-policy', 'read-only');
  const podOf = ({ spec }: Rendered) => spec.template ?? spec.jobTemplate?.spec.template;
  const pods = (documents: readonly Rendered[]) => documents.flatMap((one) => podOf(one) ?? []);
  const etherpadOf = (documents: readonly Rendered[]): Container => {
    const found = pods(documents)
      .flatMap(({ spec }) => spec.containers)
      .find(({ name }) => name === 'etherpad');
    if (!found) throw new Error('no container of Etherpad');
    return found;
  };

  it('names each part that there is, and installs backup and network policy unless told otherwise', () => {
    const text = readFileSync(join(source, 'kustomization.yaml'), 'utf8');
    expect(parse(text).components).to.deep.equal(['backup', 'network-policy']);
    expect(text).to.match(/^ {2}# - read-only$/m);
  });

  it('adds with each part what it says', () => {
    const kinds = (...parts: string[]) => render(...parts).map(({ kind }) => kind);
    expect(kinds()).to.have.members(['Deployment', 'Service']);
    expect(kinds('backup')).to.have.members(['Deployment', 'Service', 'CronJob', 'PersistentVolumeClaim']);
    expect(kinds('network-policy')).to.have.members(['Deployment', 'Service', 'NetworkPolicy']);
    expect(kinds('read-only')).to.have.members(['Deployment', 'Service']);
  });

  it('runs nothing as root, and gives no container a right that it does not need', () => {
    for (const { spec } of pods(all())) {
      expect(spec.automountServiceAccountToken).to.equal(false);
      for (const { name, securityContext } of [...(spec.initContainers ?? []), ...spec.containers]) {
        const context = { ...spec.securityContext, ...securityContext };
        expect(context, name).to.deep.include({
          runAsNonRoot: true,
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
          seccompProfile: { type: 'RuntimeDefault' },
        });
        expect(context.runAsUser, name).to.be.greaterThan(0);
      }
    }
  });

  it('mounts each volume that it declares, and no other', () => {
    for (const { spec } of pods(all())) {
      const mounted = [...(spec.initContainers ?? []), ...spec.containers].flatMap(
        ({ volumeMounts = [] }) => volumeMounts,
      );
      const declared = (spec.volumes ?? []).map(({ name }) => name);
      expect([...new Set(mounted.map(({ name }) => name))]).to.have.members(declared);
    }
    const claims = all().filter(({ kind }) => kind === 'PersistentVolumeClaim');
    const used = pods(all()).flatMap(({ spec }) =>
      (spec.volumes ?? []).flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []),
    );
    expect(used).to.deep.equal(claims.map(({ metadata }) => metadata.name));
  });

  it('keeps the list of plugins of the image where the file system is read-only', () => {
    const documents = render('read-only');
    const { initContainers = [], volumes = [] } = pods(documents)[0]?.spec ?? {};
    const etherpad = etherpadOf(documents);
    const [copy] = initContainers;
    expect(copy?.image).to.equal(etherpad.image);
    const place = etherpad.volumeMounts?.find(({ name }) => name === 'var')?.mountPath;
    expect(copy?.command).to.deep.equal(['cp', '-r', `${place}/.`, `${copy?.volumeMounts?.[0]?.mountPath}/`]);
    expect(volumes.map(({ name }) => name)).to.include.members(['var', 'temporary', 'keys']);
  });

  it('saves the database that Etherpad uses, with the same password', () => {
    const documents = render('backup');
    const secretOf = ({ env = [] }: Container, name: string) =>
      env.find((one) => one.name === name)?.valueFrom?.secretKeyRef;
    const etherpad = etherpadOf(documents);
    const backup = pods(documents)
      .flatMap(({ spec }) => spec.containers)
      .find(({ name }) => name === 'backup');
    expect(backup && secretOf(backup, 'PGPASSWORD')).to.deep.equal(secretOf(etherpad, 'DB_PASS'));
    const variable = (one: Container | undefined, name: string) =>
      one?.env?.find((entry) => entry.name === name);
    expect({ ...variable(backup, 'PGHOST'), name: '' }).to.deep.equal({
      ...variable(etherpad, 'DB_HOST'),
      name: '',
    });
    expect({ ...variable(backup, 'PGUSER'), name: '' }).to.deep.equal({
      ...variable(etherpad, 'DB_USER'),
      name: '',
    });
    const documented = /`(pg_dump -Fc [^`]*) > etherpad\.dump`/.exec(
      readFileSync(join(source, '..', '..', 'docs', 'backup.md'), 'utf8'),
    )?.[1];
    expect(backup?.command?.at(-1)).to.include(`${documented} >`);
    expect(execFileSync('sh', ['-n'], { input: backup?.command?.at(-1), encoding: 'utf8' })).to.equal('');
  });

  it('lets only its port be reached, and only Etherpad be limited', () => {
    const documents = render('network-policy', 'backup');
    const policy = documents.find(({ kind }) => kind === 'NetworkPolicy')?.spec;
    expect(policy?.policyTypes).to.have.members(['Ingress', 'Egress']);
    const [etherpad] = documents
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap((one) => podOf(one) ?? []);
    expect(policy?.podSelector?.matchLabels).to.deep.equal(etherpad?.metadata.labels);
    expect(policy?.ingress?.flatMap(({ ports }) => ports.map(({ port }) => port))).to.deep.equal([9001]);
    const out = policy?.egress?.flatMap(({ ports }) => ports.map(({ port }) => port)) ?? [];
    expect(out).to.include.members([53, 5432]);
  });
});
