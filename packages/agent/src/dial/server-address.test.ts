import { expect, test } from 'vitest';
import { parseServer } from './server-address.ts';

test.each([
  ['https://fleet.test:8443', 'fleet.test', 8443, 'wss://fleet.test:8443/fleet/agent'],
  ['https://fleet.test', 'fleet.test', 443, 'wss://fleet.test/fleet/agent'],
  ['https://[fd00::1]:8443/', 'fd00::1', 8443, 'wss://[fd00::1]:8443/fleet/agent'],
  ['https://lb.test/fleets/a/', 'lb.test', 443, 'wss://lb.test/fleets/a/fleet/agent'],
])('%s', (text, host, port, webSocketUrl) => expect(parseServer(text)).toEqual({ host, port, webSocketUrl }));

test.each(['fleet.test:8443', 'http://fleet.test', 'ssh://fleet.test', 'https://a:b@fleet.test', 'https://f/?a=b', ''])(
  '%j is none',
  (text) => expect(() => parseServer(text)).toThrow('which has the form https://host:port'),
);
