/** The package that reads ZIPs. It is a file of its own in dist/, which is loaded by the first import. */
export { fromBufferPromise, openPromise } from 'yauzl';
