/**
 * Whether the tests of the API reach the plugin in a real Etherpad over the network. `API_HOST=1` asks for it (part `network` of
 * `npm test`); `ETHERPAD` and `ETHERPAD_NODE` name the Etherpad, as everywhere.
 */
export const overNetwork = process.env.API_HOST === '1';

/** Tests of what only a real host has. */
export const networkOnly = {
  it: (title: string, work: Mocha.AsyncFunc): void => {
    if (overNetwork) it(title, work);
  },
};

/** Tests that would be the same ones again over the network, or could not see anything there. The reason stands beside each use. */
export const inProcessOnly = {
  describe: (title: string, work: () => void): void => {
    if (!overNetwork) describe(title, work);
  },
  it: (title: string, work: Mocha.AsyncFunc): void => {
    if (!overNetwork) it(title, work);
  },
};
