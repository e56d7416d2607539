/**
 * Whether the API tests reach the plugin in a real Etherpad over the network. `API_HOST=1` asks for it (part `network`
 * of `npm test`); `ETHERPAD` and `ETHERPAD_NODE` name the Etherpad.
 */
export const overNetwork = process.env.API_HOST === '1';

/** Tests of what only a real Etherpad has. */
export const networkOnly = {
  it: (title: string, work: Mocha.AsyncFunc): void => {
    if (overNetwork) it(title, work);
  },
};

/**
 * Tests that give the same result over the network, or that can only see something in the process. Each use says why.
 */
export const inProcessOnly = {
  describe: (title: string, work: () => void): void => {
    if (!overNetwork) describe(title, work);
  },
  it: (title: string, work: Mocha.AsyncFunc): void => {
    if (!overNetwork) it(title, work);
  },
};
