import { expect } from 'chai';
import { loggedAddress, readAddressLogging } from '../../host/log';

describe('addresses in the log', () => {
  it('are logged as far as the settings of Etherpad allow, under their old and new names', () => {
    const rows: [object, string][] = [
      [{}, 'full'],
      [{ disableIPlogging: false }, 'full'],
      [{ disableIPlogging: true }, 'anonymous'],
      [{ ipLogging: 'full', disableIPlogging: true }, 'full'],
      [{ ipLogging: 'truncated' }, 'truncated'],
      [{ ipLogging: 'anonymous', disableIPlogging: false }, 'anonymous'],
      [{ ipLogging: 'Full' }, 'anonymous'],
      [{ ipLogging: null }, 'anonymous'],
    ];
    for (const [settings, how] of rows) {
      expect(readAddressLogging(settings), JSON.stringify(settings)).to.equal(how);
    }
  });

  it('are shortened as Etherpad shortens them', () => {
    const rows: [string, string][] = [
      ['192.0.2.77', '192.0.2.0'],
      ['2001:db8:1:2::/64', '2001:db8:1::'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
      ['2001:db8::1', '2001:db8::'],
      ['::1', 'ANONYMOUS'],
      ['', 'ANONYMOUS'],
      ['no address', 'ANONYMOUS'],
    ];
    for (const [address, shortened] of rows) {
      expect(loggedAddress(address, 'truncated'), address).to.equal(shortened);
      expect(loggedAddress(address, 'full')).to.equal(address);
      expect(loggedAddress(address, 'anonymous')).to.equal('ANONYMOUS');
    }
  });
});
