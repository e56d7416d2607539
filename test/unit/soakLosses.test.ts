/** How the load test tells connections that Etherpad itself ends from those that the plugin may have ended. */
import { expect } from 'chai';
import { explainLosses } from '../../bench/soakLosses';

const warning = (author: string, text: string): string =>
  `[2026-01-01T00:00:00.000] [WARN] message - Failed to apply USER_CHANGES from author ${author} (socket x) on pad p: ${text}`;
const order = (sent: number, expected: number): string =>
  `AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n${sent} !== ${expected}\n\n    at f`;
const lost = (author: string) => ({ reason: 'the server said badChangeset', author });

describe('lost connections of the load test', () => {
  it('are Etherpad’s own when it had sent a change before confirming it', () => {
    const log = warning('a.one', order(18, 17));
    expect(explainLosses([lost('a.one')], log)).to.deep.equal({ unexpected: [], races: 1 });
  });

  it('stay unexpected without a warning of Etherpad, which is how the plugin refuses', () => {
    const log = warning('a.one', order(18, 17));
    const { unexpected, races } = explainLosses([lost('a.two'), lost('a.one'), lost('a.one')], log);
    expect(races).to.equal(1);
    expect(unexpected).to.deep.equal(Array(2).fill('the server said badChangeset'));
  });

  it('stay unexpected for any other error, and show it', () => {
    const log = [warning('a.one', "Error: Can't apply changeset"), warning('a.two', order(16, 17))].join(
      '\n',
    );
    const { unexpected, races } = explainLosses([lost('a.one'), lost('a.two')], log);
    expect(races).to.equal(0);
    expect(unexpected[0]).to.contain("Can't apply changeset");
    expect(unexpected[1]).to.contain('16 !== 17');
  });

  it('stay unexpected when the server did not say why the connection ended', () => {
    const log = warning('a.one', order(18, 17));
    const { unexpected } = explainLosses([{ reason: 'transport close', author: 'a.one' }], log);
    expect(unexpected).to.deep.equal(['transport close']);
  });
});
