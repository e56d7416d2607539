/** The numbers for Prometheus while parts of the server do not work. The rest is in test/host/metrics.test.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createMetrics, type MetricSources } from '../../web/metrics';

const working: MetricSources = {
  openEditors: () => [{ who: 'guest', mode: 'read', count: 3 }],
  queues: () => ({ mail: 2 }),
  removals: async () => ({ pads: 1 }),
  totals: async () => ({ accounts: 4, folders: 5, pads: 6 }),
};
const withHost = () => createMetrics(async () => 'etherpad_total_users 7\n');

describe('metrics', () => {
  it('begin with those of Etherpad and do not repeat those of its process', async () => {
    const metrics = withHost();
    metrics.readFrom(working);
    const text = await metrics.text();
    expect(text).to.match(/^etherpad_total_users 7\n# HELP mypads_/);
    expect(text).not.to.include('process_resident_memory_bytes');
    expect(text).to.include('mypads_open_editors{who="guest",mode="read"} 3');
  });

  it('omit what cannot be read, and have it again later', async () => {
    const metrics = withHost();
    const broken = async (): Promise<never> => {
      throw new Error('the database is away');
    };
    metrics.readFrom({ ...working, removals: broken, totals: broken });
    const during = await metrics.text();
    expect(during).to.include('mypads_queue_length{queue="mail"} 2');
    expect(during).not.to.match(/^mypads_(unfinished_removals|accounts)\b/m);
    metrics.readFrom(working);
    const after = await metrics.text();
    expect(after).to.include('mypads_accounts 4').and.to.include('mypads_unfinished_removals{kind="pads"} 1');
  });

  it('forget editors that are closed', async () => {
    const metrics = withHost();
    metrics.readFrom(working);
    await metrics.text();
    metrics.readFrom({ ...working, openEditors: () => [] });
    expect(await metrics.text()).not.to.include('mypads_open_editors{');
  });

  it('have the names in alerts, dashboard and docs/monitoring.md', async () => {
    const metrics = withHost();
    metrics.readFrom(working);
    const text = await metrics.text();
    const known = new Set([...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name));
    for (const file of ['prometheus/alerts.yml', 'prometheus/grafana-dashboard.json', 'monitoring.md']) {
      const used = readFileSync(join(__dirname, '../../docs', file), 'utf8').match(/\bmypads_\w+/g) ?? [];
      const unknown = used.filter(
        (name) => name !== 'mypads_entry' && !known.has(name.replace(/_bucket$/, '')),
      );
      expect(unknown, file).to.deep.equal([]);
    }
  });
});
