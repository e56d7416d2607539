import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { connectionOf, entryCookieOptions } from '../../web/connection';
import { addressOf } from '../../web/rateLimit';

/** A request with these headers and this socket. */
const request = (headers: Record<string, string>, socket: object = {}) =>
  ({
    headers: { host: 'inside:9001', ...headers },
    socket: { remoteAddress: '::ffff:10.0.0.1', ...socket },
  }) as
    // The code reads nothing else of a request.
    unknown as IncomingMessage;

const forwarded = {
  'x-forwarded-for': '1.2.3.4, 203.0.113.7',
  'x-forwarded-proto': 'http, https',
  'x-forwarded-host': 'evil.example.org, pads.example.org:8443',
  'x-forwarded-prefix': '/evil, /pads',
};

describe('the address of a caller', () => {
  it('is that of the connection, whatever the headers say', () => {
    expect(connectionOf(request(forwarded), false)).to.deep.equal({
      address: '10.0.0.1',
      secure: false,
      host: 'inside:9001',
      folder: undefined,
    });
    expect(connectionOf(request({}, { encrypted: true }), false).secure).to.equal(true);
  });

  it('is the one that a trusted proxy adds, and none that was there before', () => {
    expect(connectionOf(request(forwarded), true)).to.deep.equal({
      address: '203.0.113.7',
      secure: true,
      host: 'pads.example.org:8443',
      folder: '/pads/',
    });
  });

  it('comes from the connection as far as the proxy sends nothing', () => {
    const empty = { 'x-forwarded-for': '', 'x-forwarded-host': ' ', 'x-forwarded-prefix': '' };
    for (const headers of [{}, empty] as Record<string, string>[]) {
      expect(connectionOf(request(headers, { encrypted: true }), true)).to.deep.equal({
        address: '10.0.0.1',
        secure: true,
        host: 'inside:9001',
        folder: undefined,
      });
    }
  });

  it('is a valid address, also with a port behind it, and never another text', () => {
    const rows: [string, string][] = [
      ['203.0.113.7:41234', '203.0.113.7'],
      ['[2001:db8::7]:41234', '2001:db8::7'],
      ['2001:db8::7', '2001:db8::7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['unknown', '10.0.0.1'],
      ['203.0.113.7\\nsigned in', '10.0.0.1'],
    ];
    for (const [told, address] of rows) {
      expect(connectionOf(request({ 'x-forwarded-for': told }), true).address, told).to.equal(address);
    }
  });

  it('is that of the network for IPv6, so that one customer counts once', () => {
    const rows: [string, string][] = [
      ['203.0.113.7', '203.0.113.7'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
      ['2001:db8::9', '2001:db8:0:0::/64'],
      ['::1', '0:0:0:0::/64'],
      ['fe80::', 'fe80:0:0:0::/64'],
    ];
    for (const [address, counted] of rows) {
      const connected = { address, secure: false, host: undefined, folder: undefined };
      expect(addressOf({ connected })).to.equal(counted);
    }
  });

  it('limits the cookie to the path below which a proxy serves the plugin', () => {
    const pathFor = (prefix: string) =>
      entryCookieOptions(connectionOf(request({ 'x-forwarded-prefix': prefix }), true)).path;
    expect(pathFor('/pads')).to.equal('/pads/');
    expect(pathFor('/a/b/')).to.equal('/a/b/');
    for (const wrong of [
      '',
      'pads',
      '/pads; Domain=example.org',
      '//evil.example.org',
      '/a/../b',
      '/a\r\nb',
    ]) {
      expect(pathFor(wrong), wrong).to.equal('/');
    }
    const cookie = entryCookieOptions(connectionOf(request(forwarded), true));
    expect(cookie).to.deep.equal({ httpOnly: true, sameSite: 'lax', secure: true, path: '/pads/' });
  });
});
