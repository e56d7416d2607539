/** The scripts and settings for backups in docs/: failures must not remove backups, and copies must not send emails. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSmtp } from '../../model/mail/smtpSettings';
import { temporaryFolder } from '../support/app';
import { useConfiguration } from '../support/configuration';
import { examples } from '../support/docExamples';

describe('the script of tutorial-server.md for a backup each night', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  /** Runs it with a `pg_dump` that ends with this code. Returns its own code and whether an old dump is still there. */
  function runWith(code: number): { status: number | null; isOldThere: boolean } {
    const place = join(folder.path, String(code));
    const old = join(place, 'backups', 'etherpad-2020-01-31.dump');
    for (const name of ['bin', 'backups', 'etherpad/var', 'etherpad/src/plugin_packages'])
      mkdirSync(join(place, name), { recursive: true });
    for (const name of ['settings.json', 'APIKEY.txt', 'var/installed_plugins.json'])
      writeFileSync(join(place, 'etherpad', name), '');
    writeFileSync(join(place, 'etherpad.env'), '');
    writeFileSync(old, '');
    utimesSync(old, 1, 1);
    writeFileSync(join(place, 'bin', 'runuser'), `#!/bin/sh\necho dump\nexit ${code}\n`, { mode: 0o755 });
    const script = (examples('tutorial-server.md', 'sh').find((one) => one.includes('pg_dump')) ?? '')
      .replaceAll('/var/backups/etherpad', join(place, 'backups'))
      .replaceAll('/opt/etherpad', join(place, 'etherpad'))
      .replaceAll('/etc/etherpad.env', join(place, 'etherpad.env'));
    const env = { ...process.env, PATH: `${join(place, 'bin')}:${process.env.PATH}` };
    const { status } = spawnSync('sh', { input: script, env });
    return { status, isOldThere: existsSync(old) };
  }

  it('deletes old dumps only after a new one, and fails otherwise', () => {
    expect(runWith(0)).to.deep.equal({ status: 0, isOldThere: false });
    expect(runWith(1)).to.deep.equal({ status: 1, isOldThere: true });
  });
});

describe('the settings of backup.md for a restored copy', () => {
  const settings = useConfiguration();

  it('send no email and keep the trash, although the database says otherwise', async () => {
    const { configuration, ports } = settings;
    for (const [key, value] of [
      ['SMTPHost', 'mail.example.org'],
      ['SMTPEmailFrom', 'pads@example.org'],
      ['trashDays', 30],
    ] as const)
      await configuration.set(key, value);
    const [copy = '{}'] = examples('backup.md', 'json').filter((one) => one.includes('SMTPHost'));
    await settings.preset(JSON.parse(`{${copy}}`).ep_mypads);
    expect(configuration.get('trashDays')).to.equal(3650);
    expect(() => readSmtp((name) => configuration.get(name), ports.log)).to.throw('MAIL_NOT_CONFIGURED');
  });
});
