/**
 * Loaded into the Etherpads of the tests before anything else: passwords are hashed at the lowest cost, because at the
 * usual cost each account and each sign-in takes 0.1 s of processor time.
 */
'use strict';
const { Worker } = require('node:worker_threads');

const { postMessage } = Worker.prototype;

/** A job of `model/passwords/hasher.ts` gets 4 rounds. Any other message is sent as it is. */
Worker.prototype.postMessage = function send(message, ...more) {
  const cheap = message?.kind === 'hash' ? { ...message, rounds: 4 } : message;
  return postMessage.call(this, cheap, ...more);
};
