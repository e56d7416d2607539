/** Programs that read the files of deploy/ and the examples of docs/ on an operator's machine. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';
import { findNginx, findPromtool, findSystemdAnalyze } from '../../bin/programs';
import { temporaryFolder } from '../support/app';
import { createCertificate } from '../support/certificate';

const root = resolve(__dirname, '..', '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** The examples in one language of a page. Those in lists are indented. */
function examples(page: string, language: string): string[] {
  const blocks = read(join('docs', page)).matchAll(
    new RegExp(`^ *\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'gm'),
  );
  return [...blocks].map(([, text = '']) => text);
}

describe('files for operators', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  /** What nginx says about a configuration, which is included where Debian's nginx includes it. */
  function askNginx(configuration: string): string {
    const { cert, key } = createCertificate('pads.example.org');
    const inFolder = (name: string): string => join(folder.path, name);
    writeFileSync(inFolder('cert.pem'), cert);
    writeFileSync(inFolder('key.pem'), key);
    const local = configuration
      .replace(/(ssl_certificate +)\S+;/g, `$1${inFolder('cert.pem')};`)
      .replace(/(ssl_certificate_key +)\S+;/g, `$1${inFolder('key.pem')};`);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const temporary = paths.map((name) => `${name}_temp_path ${inFolder(name)};`).join('\n');
    writeFileSync(
      inFolder('nginx.conf'),
      `pid ${inFolder('pid')};\nerror_log stderr warn;\nevents {}\nhttp {\n${temporary}\naccess_log off;\n${local}\n}`,
    );
    const args = ['-t', '-q', '-p', folder.path, '-c', inFolder('nginx.conf')];
    const { status, stderr } = spawnSync(findNginx() ?? 'nginx', args, { encoding: 'utf8' });
    return status === 0 ? stderr : `${status} ${stderr}`;
  }

  it('nginx accepts the configuration for several processes, with https', () => {
    expect(askNginx(read('deploy/nginx.conf'))).to.equal('');
  });

  it('nginx accepts the examples of docs/install.md, at the root and below a path', () => {
    const [atRoot = '', below = '', ...more] = examples('install.md', 'nginx');
    expect(more).to.deep.equal([]);
    expect(atRoot).to.include('# ssl_certificate and ssl_certificate_key\n');
    const certificate = 'ssl_certificate x;\nssl_certificate_key x;\n';
    const whole = atRoot.replace(/# ssl_certificate .*\n/, certificate);
    expect(askNginx(whole)).to.equal('');
    const replaced = whole.replace(/ {2}location \/ \{[^}]*\}\n/, below);
    // nginx refuses uploads of more than one megabyte by default, and Etherpad accepts fifty.
    for (const one of [atRoot, below, read('deploy/nginx.conf')])
      expect(one).to.include('client_max_body_size 50m;');
    expect(replaced).to.include('location /pads/ {').and.not.to.include('location / {');
    expect(askNginx(replaced)).to.equal('');
  });

  it('systemd accepts the unit', function () {
    const program = findSystemdAnalyze();
    if (program === undefined) this.skip();
    // These programs have other places on some machines.
    const unit = read('deploy/etherpad.service')
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll('/usr/bin/curl', '/bin/sh');
    const units = join(folder.path, 'units');
    mkdirSync(units);
    const file = join(units, 'etherpad.service');
    writeFileSync(file, unit);
    const { stdout, stderr } = spawnSync(program, ['verify', '--man=no', file], { encoding: 'utf8' });
    const said = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('etherpad.service'));
    expect(said).to.deep.equal([]);
  });

  it('Prometheus raises each alert, also at the first error since a start', function () {
    const program = findPromtool();
    if (program === undefined) this.skip();
    const rules = join(root, 'docs/prometheus/alerts.yml');
    const [{ rules: alerts }] = parse(readFileSync(rules, 'utf8')).groups;
    const at = (series: string, values: string) => ({ series, values });
    /** Each metric from minute 0 on; `_` where there is none yet. Then when each alert is raised, and when not. */
    const input_series = [
      at('up{job="mypads"}', '1x20 0x60'),
      at('mypads_log_lines_total{level="error",message="new"}', '_x20 1x60'),
      at('mypads_log_lines_total{level="error",message="again"}', '1x30 2x50'),
      at('mypads_sign_ins_total{result="refused"}', '0x20 0+60x60'),
      at('nodejs_eventloop_lag_p99_seconds{job="mypads"}', '0.1x20 0.5x60'),
      at('mypads_unfinished_removals', '0x10 1x70'),
    ];
    const raised: Record<string, [from: number, labels: object]> = {
      MyPadsNotAnswering: [24, { job: 'mypads' }],
      MyPadsErrors: [22, { message: 'new' }],
      MyPadsPasswordGuessing: [30, {}],
      MyPadsSlow: [27, {}],
      MyPadsRemovalsUnfinished: [72, {}],
    };
    const alert_rule_test = alerts.flatMap(
      ({
        alert,
        labels,
        annotations,
      }: {
        alert: string;
        labels: object;
        annotations: { summary: string };
      }) => {
        const [from, more] = raised[alert] ?? [0, {}];
        const summary = annotations.summary.replace(/\{\{.*\}\}/, 'new');
        const expected = { exp_labels: { ...labels, ...more }, exp_annotations: { summary } };
        return [
          { eval_time: '19m', alertname: alert, exp_alerts: [] },
          { eval_time: `${from}m`, alertname: alert, exp_alerts: [expected] },
        ];
      },
    );
    const file = join(folder.path, 'alerts.yml');
    const tests = [{ interval: '1m', input_series, alert_rule_test }];
    writeFileSync(file, stringify({ rule_files: [rules], evaluation_interval: '1m', tests }));
    const { status, stdout, stderr } = spawnSync(program, ['test', 'rules', file], { encoding: 'utf8' });
    expect(status, stdout + stderr).to.equal(0);
  });

  it('a shell accepts the commands of all pages', () => {
    const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
    const wrong = pages.flatMap((page) =>
      examples(page, 'sh').flatMap((script) => {
        const { status, stderr } = spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' });
        return status === 0 ? [] : [`${page}: ${stderr}${script}`];
      }),
    );
    expect(wrong).to.deep.equal([]);
  });
});
