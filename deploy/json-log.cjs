/**
 * Adds the layout "json" to Etherpad's log4js: one object a line, with the facts of each line of ep_mypads as fields.
 * Load it before Etherpad (`node --require …/json-log.cjs`), and name the layout in settings.json: docs/log-lines.md.
 */
'use strict';

const { createRequire } = require('node:module');
const { join } = require('node:path');
const { format } = require('node:util');
const { isMainThread } = require('node:worker_threads');

/**
 * The log4js of the Etherpad that starts in this folder: its root, `src`, or `bin`, which has the commands. They may be
 * two different ones.
 */
function findLog4js(folder) {
  const found = new Set();
  for (const place of [folder, join(folder, 'src'), join(folder, '..', 'src')]) {
    try {
      found.add(createRequire(join(place, 'package.json'))('log4js'));
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return found;
}

const isFacts = (value) => typeof value === 'object' && value !== null && !(value instanceof Error);

/** A line: time, level, logger and message, and the fields of each object that follows the message. */
function jsonLine({ startTime, level, categoryName, data }) {
  const facts = data.slice(1).filter(isFacts);
  const texts = data.filter((value) => !facts.includes(value));
  // Named first and last: the fields keep this order, and facts cannot replace them.
  const own = { time: startTime.toISOString(), level: String(level).toLowerCase(), logger: categoryName };
  try {
    return JSON.stringify({ ...own, ...Object.assign({}, ...facts), ...own, message: format(...texts) });
  } catch {
    // Etherpad may log an object that contains itself.
    return JSON.stringify({ ...own, message: format(...data) });
  }
}

for (const log4js of isMainThread ? findLog4js(process.cwd()) : []) {
  const register = log4js.addLayout ?? log4js.layouts?.addLayout;
  register?.('json', () => jsonLine);
}
