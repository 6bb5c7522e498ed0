import { validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { warningHeader } from './warning.ts';

/** What a client makes of the header's bytes: RFC 7234's warn-text, UTF-8 as Go reads it. */
const read = (header: string): string => {
  const quoted = /^299 - "(.*)"$/s.exec(Buffer.from(header, 'latin1').toString());
  return (quoted?.[1] ?? '').replace(/\\(.)/gs, '$1');
};

describe('warningHeader', () => {
  it('LIST-4: quotes and backslashes survive', () => {
    expect(warningHeader('cluster "a" is \\ away')).toBe('299 - "cluster \\"a\\" is \\\\ away"');
  });

  it('LIST-4: text in any script survives as UTF-8', () => {
    expect(read(warningHeader('größer als ☃ \u2028 😀'))).toBe('größer als ☃ \u2028 😀');
  });

  it('LIST-4: the header can be sent, whatever a member wrote', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
        (text) => {
          validateHeaderValue('warning', warningHeader(text));
        },
      ),
    );
  });
});
