/** The client library of Redis. A file of its own in dist/, which is loaded only if the settings file names a Redis. */
export { Redis } from 'ioredis';
