/** Prometheus reads the alerts of docs/prometheus/ and measurements that are made up. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';
import { findPromtool } from '../../bin/programs';
import { temporaryFolder } from '../support/app';

describe('the alerts', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  const rules = resolve(__dirname, '../../docs/prometheus/alerts.yml');
  const at = (series: string, values: string) => ({ series, values });

  function expectPassing(input_series: object[], alert_rule_test: object[]): void {
    const file = join(folder.path, 'alerts.yml');
    const tests = [{ interval: '1m', input_series, alert_rule_test }];
    writeFileSync(file, stringify({ rule_files: [rules], evaluation_interval: '1m', tests }));
    const program = findPromtool() ?? 'promtool';
    const { status, stdout, stderr } = spawnSync(program, ['test', 'rules', file], { encoding: 'utf8' });
    expect(status, stdout + stderr).to.equal(0);
  }

  it('are raised by Prometheus, also at the first error since a start', () => {
    const [{ rules: alerts }] = parse(readFileSync(rules, 'utf8')).groups;
    /** Each metric from minute 0 on; `_` where there is none yet. Then when each alert is raised, and when not. */
    const input_series = [
      at('up{job="mypads"}', '1x20 0x60'),
      at('mypads_log_lines_total{level="error",message="new"}', '_x20 1x60'),
      at('mypads_log_lines_total{level="error",message="again"}', '1x30 2x50'),
      at('mypads_sign_ins_total{result="refused"}', '0x20 0+60x60'),
      at('nodejs_eventloop_lag_p99_seconds{job="mypads"}', '0.1x20 0.5x60'),
      at('mypads_unfinished_removals{kind="pads"}', '0x10 1x70'),
      at('mypads_unfinished_removals{kind="vanished"}', '1x80'),
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
    const onlyVanished = { eval_time: '65m', alertname: 'MyPadsRemovalsUnfinished', exp_alerts: [] };
    expectPassing(input_series, [...alert_rule_test, onlyVanished]);
  });

  it('are raised by blocks that last long and are too rare for the percentile, but not by a single one', () => {
    const [{ rules: alerts }] = parse(readFileSync(rules, 'utf8')).groups;
    const slow = alerts.find(({ alert }: { alert: string }) => alert === 'MyPadsSlow');
    const raised = { exp_labels: slow.labels, exp_annotations: slow.annotations };
    expectPassing(
      [
        at('nodejs_eventloop_lag_p99_seconds{job="mypads"}', '0.014x60'),
        at('nodejs_eventloop_lag_max_seconds{job="mypads"}', '0.1x10 3x1 0.1x10 2x40'),
      ],
      [
        { eval_time: '20m', alertname: 'MyPadsSlow', exp_alerts: [] },
        { eval_time: '30m', alertname: 'MyPadsSlow', exp_alerts: [raised] },
      ],
    );
  });
});
