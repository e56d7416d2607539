/** The Helm chart of deploy/helm: real Helm renders it, and what it makes must fit Kubernetes, Etherpad and itself. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { helmFolder } from '../../bin/programs';
import { temporaryFolder } from '../support/app';
import {
  askHelm,
  type Container,
  chart,
  fileOf,
  type Manifest,
  type Pod,
  renderChart,
} from '../support/chart';

const root = join(__dirname, '..', '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));

/** How settings.json names a variable. */
const filledIn = (name: string): string => `\${${name}}`;

/** The least that an operator has to say. */
const least = {
  image: { repository: 'registry.example.org/etherpad-mypads', tag: '2026-01-31' },
  host: 'pads.example.org',
  secret: 'etherpad',
  database: { host: 'postgres' },
  networkPolicy: { ingressNamespace: 'traefik' },
};
const several = { ...least, processes: 3, redis: { url: 'redis://redis.data:6380/0' } };
const off = { enabled: false };

/** Releases that must work. What an operator may write is in one of them. */
const releases: Record<string, Record<string, unknown>> = {
  least,
  'with nothing to choose': { ...least, networkPolicy: off, backup: off },
  everything: {
    ...least,
    image: { ...least.image, tag: `2026-01-31@sha256:${'0'.repeat(64)}`, pullSecrets: ['registry'] },
    database: { host: 'db.example.org', port: 6432, name: 'pads', user: 'pads' },
    settings: {
      title: 'Pads',
      ep_mypads: { title: 'Pads', trashDays: 7, smtpPass: filledIn('SMTP_PASSWORD') },
    },
    env: [{ name: 'SMTP_PASSWORD', valueFrom: { secretKeyRef: { name: 'mail', key: 'password' } } }],
    resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '2Gi' } },
    temporaryStorage: '5Gi',
    ingress: {
      enabled: true,
      className: 'traefik',
      annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
      tlsSecret: 'pads-tls',
    },
    networkPolicy: { ingressNamespace: 'traefik', ports: [443] },
    backup: { schedule: '5 3 * * 0', days: 60, storage: '50Gi', storageClass: 'slow' },
  },
  'several processes': several,
  'several processes, Redis without a password': {
    ...several,
    redis: { url: 'rediss://redis', password: false },
    proxy: { image: 'nginxinc/nginx-unprivileged:1.29', replicas: 1 },
  },
  'a claim that exists': { ...least, backup: { existingClaim: 'backups' } },
};

const podOf = ({ spec }: Manifest): Pod | undefined => spec?.template ?? spec?.jobTemplate?.spec.template;
const podsOf = (manifests: readonly Manifest[]): Pod[] => manifests.flatMap((one) => podOf(one) ?? []);
const containersOf = ({ spec }: Pod): Container[] => [...(spec.initContainers ?? []), ...spec.containers];
const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((one) => one.kind === kind);

function containerOf(manifests: readonly Manifest[], name: string): Container {
  const found = podsOf(manifests)
    .flatMap(containersOf)
    .find((one) => one.name === name);
  if (!found) throw new Error(`no container ${name}`);
  return found;
}

/** The components whose pods these labels select. */
const selected = (manifests: readonly Manifest[], labels: object): string[] =>
  podsOf(manifests)
    .filter(({ metadata }) => Object.entries(labels).every(([key, value]) => metadata.labels[key] === value))
    .map(({ metadata }) => metadata.labels['app.kubernetes.io/component'] ?? '');

/** A program in TypeScript that has all manifests as values of the types of Kubernetes. */
function typed(): string {
  const place = join(helmFolder, 'node_modules', 'kubernetes-models');
  const lines = Object.entries(releases).flatMap(([name, given]) =>
    renderChart(given).map((manifest) => {
      const type = `import('${place}/${manifest.apiVersion}/${manifest.kind}').I${manifest.kind}`;
      return `// ${name}: ${manifest.kind} ${manifest.metadata.name}\nkeep<${type}>(${JSON.stringify(manifest)});`;
    }),
  );
  return `declare function keep<T>(value: T): void;\n${lines.join('\n')}\n`;
}

describe('deploy/helm', function () {
  this.timeout(120_000);

  describe('for', () => {
    for (const [name, given] of Object.entries(releases)) {
      const manifests = (): Manifest[] => renderChart(given);

      it(`${name}: Helm finds nothing wrong`, () => {
        const { done, said } = askHelm(['lint', '--strict'], given);
        expect(done, said).to.equal(true);
      });

      it(`${name}: nothing runs as root or with a right that it does not need`, () => {
        for (const pod of podsOf(manifests())) {
          expect(pod.spec.automountServiceAccountToken).to.equal(false);
          expect(pod.spec.securityContext).to.deep.include({
            runAsNonRoot: true,
            seccompProfile: { type: 'RuntimeDefault' },
          });
          expect(pod.spec.securityContext.runAsUser).to.be.greaterThan(0);
          for (const { name: container, securityContext } of containersOf(pod)) {
            expect(securityContext, container).to.deep.equal({
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            });
          }
        }
      });

      it(`${name}: each volume is mounted, and there is what it names`, () => {
        const all = manifests();
        for (const pod of podsOf(all)) {
          const mounted = containersOf(pod).flatMap(({ volumeMounts = [] }) => volumeMounts);
          const declared = pod.spec.volumes.map((one) => one.name);
          expect([...new Set(mounted.map((one) => one.name))]).to.have.members(declared);
          for (const { configMap, secret, persistentVolumeClaim: claim } of pod.spec.volumes) {
            if (configMap)
              expect(ofKind(all, 'ConfigMap').map(({ metadata }) => metadata.name)).to.include(
                configMap.name,
              );
            if (secret) expect(secret.secretName).to.equal(least.secret);
            const own = ofKind(all, 'PersistentVolumeClaim').map(({ metadata }) => metadata.name);
            if (claim) expect(own.length === 0 ? ['backups'] : own).to.deep.equal([claim.claimName]);
          }
        }
      });

      it(`${name}: Services and network policies select pods that there are, and ports that are open`, () => {
        const all = manifests();
        const names = podsOf(all)
          .flatMap(containersOf)
          .flatMap(({ ports = [] }) => ports.map((one) => one.name));
        for (const { metadata, spec } of ofKind(all, 'Service')) {
          const { 'statefulset.kubernetes.io/pod-name': pod, ...labels } = (spec?.selector ?? {}) as Record<
            string,
            string
          >;
          expect(selected(all, labels), metadata.name).to.have.length(1);
          if (pod !== undefined) expect(pod).to.equal(metadata.name);
          for (const { targetPort } of spec?.ports ?? []) expect(names).to.include(targetPort);
        }
        for (const { metadata, spec } of ofKind(all, 'NetworkPolicy'))
          expect(selected(all, spec?.podSelector?.matchLabels ?? {}), metadata.name).to.have.length(1);
        for (const { spec } of all)
          if (spec?.selector?.matchLabels)
            expect(podOf({ spec } as Manifest)?.metadata.labels).to.include(spec?.selector.matchLabels);
      });

      it(`${name}: its settings file has the database, and no secret`, () => {
        const text = fileOf(manifests(), 'pads-settings', 'settings.json');
        const { dbSettings, users, ep_mypads: plugin, trustProxy } = JSON.parse(text);
        const database = { ...values.database, ...(given.database as object) };
        expect(dbSettings).to.deep.equal({
          host: database.host,
          port: database.port,
          database: database.name,
          user: database.user,
          password: filledIn('DB_PASS'),
        });
        expect(users.admin.password).to.equal(filledIn('ADMIN_PASSWORD'));
        expect([trustProxy, plugin.rootUrl]).to.deep.equal([true, 'https://pads.example.org']);
        const variables = [...text.matchAll(/"\$\{(\w+)\}"/g)].map(([, variable]) => variable);
        const set = containerOf(manifests(), 'etherpad').env?.map((one) => one.name);
        expect(set).to.include.members(variables);
      });
    }
  });

  it('makes only what Kubernetes knows: each name and each kind of value', () => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'manifests.ts');
    writeFileSync(file, typed());
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
    ];
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    const { stdout } = spawnSync(tsc, [...options, '--ignoreConfig', file], {
      encoding: 'utf8',
      cwd: folder.path,
    });
    folder.remove();
    expect(stdout).to.equal('');
  });

  it('refuses a release that lacks something, and says what', () => {
    const lacking: [without: Record<string, unknown>, said: string][] = [
      [{ image: { repository: 'registry.example.org/etherpad' } }, '/image/tag'],
      [{ host: '' }, '/host'],
      [{ secret: '' }, '/secret'],
      [{ database: {} }, '/database/host'],
      [{ networkPolicy: {} }, 'networkPolicy.ingressNamespace'],
      [{ processes: 2 }, 'several processes need redis.url'],
      [{ proceses: 2 }, "'proceses' not allowed"],
      [{ backup: { image: 'postgres:latest' } }, '/backup/image'],
      [{ redis: { url: 'redis://:secret@redis' } }, '/redis/url'],
    ];
    for (const [without, reason] of lacking) {
      const { done, said } = askHelm(['template', 'pads'], { ...least, ...without });
      expect(done, reason).to.equal(false);
      expect(said).to.include(reason);
    }
  });

  it('says what each value is: in values.yaml and in its schema', () => {
    const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'));
    const { global, ...known } = schema.properties;
    expect(global).to.be.an('object');
    expect(Object.keys(known)).to.have.members(Object.keys(values));
    const lines = readFileSync(join(chart, 'values.yaml'), 'utf8').split('\n');
    for (const [name, value] of Object.entries<{ properties?: object }>(known)) {
      expect(lines[lines.findIndex((line) => line.startsWith(`${name}:`)) - 1], name).to.match(/^# /);
      if (value.properties)
        expect(Object.keys(values[name]), name).to.have.members(Object.keys(value.properties));
    }
  });

  it('runs one process of Etherpad at a time, and never two of the same name', () => {
    const [stateful, ...more] = [
      ...ofKind(renderChart(least), 'StatefulSet'),
      ...ofKind(renderChart(least), 'Deployment'),
    ];
    expect([stateful?.spec?.replicas, more]).to.deep.equal([1, []]);
    const [own] = ofKind(renderChart(least), 'Service');
    expect(selected(renderChart(least), own?.spec?.selector ?? {})).to.deep.equal(['etherpad']);
  });

  it('sends people to nginx where there are several processes, and nginx to each of them', () => {
    const all = renderChart(several);
    const main = ofKind(all, 'Service').find(({ metadata }) => metadata.name === 'pads');
    expect(selected(all, main?.spec?.selector ?? {})).to.deep.equal(['proxy']);
    const addresses = ofKind(all, 'Service')
      .filter((one) => one !== main)
      .map(({ metadata }) => `${metadata.name}:9001`);
    expect(addresses).to.deep.equal(['pads-0:9001', 'pads-1:9001', 'pads-2:9001']);
    const nginx = fileOf(all, 'pads-proxy', 'etherpad.conf');
    for (const [, upstream = ''] of nginx.matchAll(/^upstream \w+ \{\n([^}]*)\}/gm))
      expect([...upstream.matchAll(/server (\S+) /g)].map(([, address]) => address)).to.deep.equal(addresses);
    const [ingress] = ofKind(renderChart({ ...several, ingress: { enabled: true } }), 'Ingress');
    const [rule] = ingress?.spec?.rules ?? [];
    expect([rule?.host, rule?.http.paths[0]?.backend.service.name]).to.deep.equal([
      'pads.example.org',
      'pads',
    ]);
  });

  it('lets in only the Ingress controller, and lets out only to what the values name', () => {
    const policies = (given: Record<string, unknown>) =>
      Object.fromEntries(
        ofKind(renderChart(given), 'NetworkPolicy').map(({ metadata, spec }) => [
          metadata.name,
          {
            from: (spec?.ingress ?? []).flatMap(({ from = [] }) =>
              from.map(
                (peer) =>
                  peer.namespaceSelector?.matchLabels['kubernetes.io/metadata.name'] ??
                  peer.podSelector?.matchLabels['app.kubernetes.io/component'],
              ),
            ),
            to: (spec?.egress ?? []).flatMap(({ ports }) => ports.map(({ port }) => port)),
          },
        ]),
      );
    const names = [53, 53];
    const backup = { from: [], to: [...names, 5432] };
    expect(policies(least)).to.deep.equal({
      pads: { from: ['traefik'], to: [...names, 5432, 465, 587, 636, 443] },
      'pads-backup': backup,
    });
    expect(policies(several)).to.deep.equal({
      pads: { from: ['proxy'], to: [...names, 5432, 6380, 465, 587, 636, 443] },
      'pads-proxy': { from: ['traefik'], to: [...names, 9001] },
      'pads-backup': backup,
    });
  });

  it('keeps the list of plugins of the image beside a file system that cannot be changed', () => {
    const etherpad = containerOf(renderChart(least), 'etherpad');
    const copy = containerOf(renderChart(least), 'copy-var');
    expect(copy.image).to.equal(etherpad.image);
    const place = etherpad.volumeMounts?.find(({ name }) => name === 'var')?.mountPath;
    expect(copy.command).to.deep.equal(['cp', '-r', `${place}/.`, `${copy.volumeMounts?.[0]?.mountPath}/`]);
  });

  it('waits for the plugin before people come', () => {
    // The plugin answers 404 when it is not loaded, and 503 while it cannot start.
    const { readinessProbe } = containerOf(renderChart(least), 'etherpad');
    expect(readinessProbe?.httpGet?.path).to.equal('/mypads/api/cache/check');
  });

  it('uses the keys of the Secret that values.yaml and docs/install.md name', () => {
    const all = renderChart(several);
    const used = podsOf(all).flatMap((pod) => [
      ...containersOf(pod).flatMap(({ env = [] }) =>
        env.flatMap((one) => one.valueFrom?.secretKeyRef.key ?? []),
      ),
      ...pod.spec.volumes.flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? []),
    ]);
    const named = [...readFileSync(join(chart, 'values.yaml'), 'utf8').matchAll(/^# {3}([\w.-]+)(?= |$)/gm)];
    expect(named.map(([, key]) => key)).to.have.members([...new Set(used)]);
    const [, step = ''] = read('docs/install.md').split('Make the Secret');
    const [lines = ''] = step.split('--from-env-file=');
    const made = [...lines.matchAll(/["`]([\w.-]+)=/g)].map(([, key]) => key);
    expect([...made, 'redis-password']).to.have.members([...new Set(used)]);
  });

  it('saves the database that Etherpad uses, as the Compose file does', () => {
    const all = renderChart(least);
    const backup = containerOf(all, 'backup');
    const secretOf = ({ env = [] }: Container, name: string) =>
      env.find((one) => one.name === name)?.valueFrom;
    expect(secretOf(backup, 'PGPASSWORD')).to.deep.equal(secretOf(containerOf(all, 'etherpad'), 'DB_PASS'));
    const variables = Object.fromEntries((backup.env ?? []).map(({ name, value }) => [name, value]));
    expect(variables).to.include({ PGHOST: 'postgres', PGPORT: '5432', PGUSER: 'etherpad' });
    const script = backup.command?.[2] ?? '';
    const { status, stderr } = spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
    const { services } = parse(read('deploy/compose.yaml'));
    expect(backup.image).to.equal(services.backup.image);
    for (const same of [/pg_dump [^>]*/, /find .*/])
      expect(same.exec(script)?.[0]).to.equal(same.exec(services.backup.command[2])?.[0]);
    expect(backup.volumeMounts?.map(({ mountPath }) => mountPath)).to.deep.equal(['/backup']);
  });
});
