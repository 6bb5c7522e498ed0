import { describe, expect, it } from 'vitest';
import { forwardable, withoutHopByHop } from './hop-by-hop.ts';

describe('IMP-4: what a member sees of a client’s headers', () => {
  it('nothing that claims an identity', () => {
    expect(
      forwardable({
        authorization: 'Bearer t',
        cookie: 'a=b',
        host: 'fleet',
        'impersonate-user': 'system:admin',
        'impersonate-group': ['system:masters'],
        'impersonate-extra-x': 'y',
        'x-remote-user': 'admin',
        'x-remote-group': 'system:masters',
        'x-remote-extra-x': 'y',
        'user-agent': 'kubectl',
        accept: 'application/json',
      }),
    ).toEqual({ 'user-agent': 'kubectl', accept: 'application/json' });
  });

  it('nothing that belongs to the connection, named or declared', () => {
    expect(
      forwardable({
        connection: ['keep-alive, X-Mine', 'X-Other'],
        'keep-alive': 'timeout=5',
        te: 'trailers',
        'transfer-encoding': 'chunked',
        upgrade: 'SPDY/3.1',
        'proxy-authorization': 'Basic x',
        'http2-settings': 'x',
        'x-mine': '1',
        'x-other': '2',
        ':method': 'GET',
        ':authority': 'fleet',
        'content-length': '3',
      }),
    ).toEqual({ 'content-length': '3' });
  });

  it('a declared header cannot take ours away: identity is added afterwards', () => {
    expect(forwardable({ connection: 'impersonate-user', 'x-a': '1' })).toEqual({ 'x-a': '1' });
  });

  it('a browser’s token among WebSocket protocols stays here', () => {
    const token = 'base64url.bearer.authorization.k8s.io.dA';
    expect(forwardable({ 'sec-websocket-protocol': `v5.channel.k8s.io, ${token}` })).toEqual({
      'sec-websocket-protocol': 'v5.channel.k8s.io',
    });
    expect(forwardable({ 'sec-websocket-protocol': ['v5.channel.k8s.io', token] })).toEqual({
      'sec-websocket-protocol': 'v5.channel.k8s.io',
    });
    expect(forwardable({ 'sec-websocket-protocol': token })).toEqual({});
  });

  it('nothing that claims where the request comes from', () => {
    const claims = { 'x-forwarded-for': '10.0.0.1', 'x-forwarded-host': 'h', 'x-forwarded-proto': 'http' };
    expect(forwardable({ ...claims, 'x-real-ip': '10.0.0.1', forwarded: 'for=10.0.0.1', 'x-a': '1' })).toEqual({
      'x-a': '1',
    });
  });

  it('a header of any name is a header', () => {
    const headers = forwardable(JSON.parse('{"__proto__":["a","b"],"constructor":"c"}'));
    expect(Object.entries(headers)).toEqual([
      ['__proto__', ['a', 'b']],
      ['constructor', 'c'],
    ]);
  });

  it('repeated headers stay apart', () => {
    expect(withoutHopByHop({ warning: ['299 - "a"', '299 - "b"'] })).toEqual({ warning: ['299 - "a"', '299 - "b"'] });
  });
});
