/** One Etherpad with unusual settings, which the files that attack it share: `npm test` runs them in one process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EtherpadOptions } from './etherpad';
import { useEtherpad } from './useEtherpad';

/** The folder for temporary files of this Etherpad, where it puts uploads. */
export const temporary = mkdtempSync(path.join(tmpdir(), 'mypads-uploads-'));
after(() => rmSync(temporary, { recursive: true, force: true }));

const options: EtherpadOptions = {
  settings: {
    allowPadDeletionByAllUsers: true,
    defaultPadText: 'first\nsecond',
    socketIo: { maxHttpBufferSize: 2_000_000 },
    // `refusals` looks at addresses in the log, which Etherpad 3.x leaves out by default.
    disableIPlogging: false,
  },
  env: { TMPDIR: temporary },
};

/** As `useEtherpad`. */
export const useAttackedEtherpad = () => useEtherpad(options, true);
