/** When a pad that people have open moves to the process to which the proxy sends people now. */
import { expect } from 'chai';
import { PadRouting } from '../../cluster/padRouting';

describe('where the proxy sends people', () => {
  let now: number;
  let routing: PadRouting;
  beforeEach(() => {
    now = 5_000;
    routing = new PadRouting(() => now);
  });

  /** Another process asks for the pad every second. Returns its answers. */
  function ask(seconds: number, padId = 'a'): Set<string> {
    const answers = new Set<string>();
    for (let second = 0; second < seconds; second++) {
      answers.add(routing.asked(padId));
      now += 1_000;
    }
    return answers;
  }

  it('a pad moves when another process has asked for it for 10 seconds', () => {
    expect([...ask(10)]).to.deep.equal(['keep']);
    expect(routing.asked('a')).to.equal('letGo');
    expect(routing.asked('another')).to.equal('keep');
  });

  it('a pad stays when people open it here too, and the proxy is reported', () => {
    ask(9);
    expect(routing.opened('another')).to.equal(false);
    expect(routing.opened('a')).to.equal(true);
    expect([...ask(9)]).to.deep.equal(['keep']);
    expect(routing.opened('a')).to.equal(true);
    expect(routing.opened('a')).to.equal(false);
  });

  it('requests that are long past do not count', () => {
    ask(9);
    now += 60_000;
    expect(routing.asked('a')).to.equal('keep');
    now += 60_001;
    expect(routing.opened('a')).to.equal(false);
  });

  it('a pad that has moved here stays for 10 minutes, and the proxy is reported', () => {
    routing.movedHere('a');
    expect([...ask(599)]).to.deep.equal(['misrouted']);
    now += 1_000;
    expect([...ask(10)]).to.deep.equal(['keep']);
    expect(routing.asked('a')).to.equal('letGo');
  });

  it('what is known of a pad ends when it is gone', () => {
    routing.movedHere('a');
    routing.gone('a');
    ask(5);
    routing.gone('a');
    expect(routing.opened('a')).to.equal(false);
    expect([...ask(10)]).to.deep.equal(['keep']);
  });
});
