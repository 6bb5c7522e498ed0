import { expect, it } from 'vitest';
import { ipText, parseIp, parseIpRange } from './ip-address.ts';
import { ipRangeWarnings, ipWarnings } from './ip-rules.ts';

it.each([
  ['10.1.2.3', '10.1.2.3'],
  ['010.1.2.3', '10.1.2.3'],
  ['::', '::'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
])('an address is read as Go reads it: %s', (text, usual) => expect(ipText(parseIp(text)!)).toBe(usual));

it.each(['', '1.2.3', '1.2.3.256', ':::', '1::2::3', '1:2:3:4:5:6:7:8:9', 'fe80::1%eth0', '1:2:3:4:5:6:7::8:9'])(
  '%s is no address',
  (text) => expect(parseIp(text)).toBeUndefined(),
);

it('a range has a length', () => {
  expect(parseIpRange('10.0.0.0/8')).toMatchObject({ bits: 8 });
  expect(['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/x'].map(parseIpRange)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it('what is accepted though odd is warned of', () => {
  expect(ipWarnings('2001:DB8::1', 'at')).toEqual([
    'at: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
  ]);
  expect(ipRangeWarnings('10.1.2.3/8', 'at')).toEqual([
    'at: CIDR value "10.1.2.3/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.1.2.3/32"?)',
  ]);
});
