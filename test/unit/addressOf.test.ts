/** Which address a rate limit counts. */

import { expect } from 'chai';
import type { Request } from 'express';
import { addressOf } from '../../web/rateLimit';
import { checkEach } from '../support/cases';

describe('the address that a rate limit counts', () => {
  const countedFor = (address: string): string =>
    addressOf({ connected: { address } as Request['connected'] });

  it('is the whole of an IPv4 address, and the network (/64) of an IPv6 address', () =>
    checkEach(
      {
        '203.0.113.7': '203.0.113.7',
        '2001:db8:1:2:3:4:5:6': '2001:db8:1:2',
        '2001:db8:1:2:ffff::1': '2001:db8:1:2',
        '2001:db8::1': '2001:db8:0:0',
        '::1': '0:0:0:0',
        'fe80::': 'fe80:0:0:0',
      },
      (counted, address) => expect(countedFor(address)).to.equal(counted),
    ));
});
