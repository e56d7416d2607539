/**
 * Loaded into the measured Etherpad (`node --require`). On SIGWINCH it collects garbage and writes the used memory in
 * bytes to the file `MEMORY_FILE`.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const file = process.env.MEMORY_FILE;

if (file) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGWINCH', () => {
    collect();
    collect();
    writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
    renameSync(`${file}.new`, file);
  });
}
