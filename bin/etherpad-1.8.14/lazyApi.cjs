/**
 * Loaded before Etherpad 1.8.14, which prepares all 30 variants of its HTTP API when it starts. That is more than a
 * third of the processor time of a start. Here, each is prepared by its first request.
 */
const { OpenAPIBackend } = require(require.resolve('openapi-backend', { paths: [process.cwd()] }));

const { init, handleRequest } = OpenAPIBackend.prototype;
const prepared = new WeakMap();

OpenAPIBackend.prototype.init = async function later() {
  return this;
};

OpenAPIBackend.prototype.handleRequest = async function handle(...request) {
  if (!prepared.has(this)) prepared.set(this, init.call(this));
  await prepared.get(this);
  return handleRequest.apply(this, request);
};
