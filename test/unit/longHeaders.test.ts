/** Headers that say what a browser understands. */
import { expect } from 'chai';
import { cutLongHeaders } from '../../web/longHeaders';

describe('headers of a request', () => {
  it('stay as browsers send them', () => {
    const headers = { accept: 'text/html', 'accept-language': 'de-AT,de;q=0.9', cookie: 'a=b'.repeat(1_000) };
    const request = { headers: { ...headers } };
    cutLongHeaders(request);
    expect(request.headers).to.deep.equal(headers);
  });

  it('are cut where reading them would take long', () => {
    const long = 'a,'.repeat(8_000);
    const request = { headers: { accept: long, 'accept-language': long, 'accept-encoding': long } };
    cutLongHeaders(request);
    for (const value of Object.values(request.headers)) expect(long.startsWith(value)).to.equal(true);
    for (const value of Object.values(request.headers)) expect(value).to.have.length(1_000);
  });
});
