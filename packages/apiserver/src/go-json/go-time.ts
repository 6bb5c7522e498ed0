/** Parses RFC 3339 times as Go does, and writes them as Kubernetes does: in UTC, with seconds or microseconds. */

import { GoFault } from './go-fault.ts';

/** Quoted as in Go's `time`, byte by byte. */
const quoted = (text: string): string => {
  const bytes = Buffer.from(text).toString('latin1');
  const escaped = bytes.replace(/["\\]|[^ -\x7f]/g, (sign) =>
    sign === '"' || sign === '\\' ? `\\${sign}` : `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `"${escaped}"`;
};

const form = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})((?:[.,]\d+)?)(Z|[+-]\d{2}:\d{2})$/;

const layouts = { time: '2006-01-02T15:04:05Z07:00', microTime: '2006-01-02T15:04:05.000000Z07:00' } as const;

export function goTime(text: string, precision: 'time' | 'microTime'): string {
  const [whole, , month, day, hour, minute, second, fraction = '', zone] = form.exec(text) ?? [];
  const millis = whole === undefined ? Number.NaN : Date.parse(text.replace(fraction, ''));
  const layout = layouts[precision];
  const outOfRange = (what: string) => new GoFault(`parsing time ${quoted(text)}: ${what} out of range`);
  if (whole === undefined || zone === undefined) throw unreadable(text, layout);
  if (precision === 'microTime' && fraction.length !== 7) throw unreadable(text, layout, fraction, zone);
  if (Number(month) < 1 || Number(month) > 12) throw outOfRange('month');
  if (Number(day) < 1 || Number(day) > 31) throw outOfRange('day');
  if (Number(hour) > 23) throw outOfRange('hour');
  if (Number(minute) > 59) throw outOfRange('minute');
  if (Number(second) > 59) throw outOfRange('second');
  // Date rolls over days that a month does not have; Go refuses them.
  const written = new Date(millis).toISOString();
  if (Number.isNaN(millis) || (zone === 'Z' && written.slice(8, 10) !== day)) throw outOfRange('day');
  const seconds = written.slice(0, 19);
  return precision === 'time' ? `${seconds}Z` : `${seconds}.${fraction.slice(1)}Z`;
}

/** Go names the element of its layout at which parsing failed. */
function unreadable(text: string, layout: string, fraction?: string, zone?: string): GoFault {
  const at = fraction === undefined ? firstMismatch(text) : { rest: `${fraction}${zone}`, part: '.000000' };
  return new GoFault(
    `parsing time ${quoted(text)} as ${quoted(layout)}: cannot parse ${quoted(at.rest)} as ${quoted(at.part)}`,
  );
}

const parts: readonly [RegExp, string][] = [
  [/^\d{4}/, '2006'],
  [/^-/, '-'],
  [/^\d{2}/, '01'],
  [/^-/, '-'],
  [/^\d{2}/, '02'],
  [/^T/, 'T'],
  [/^\d{2}/, '15'],
  [/^:/, ':'],
  [/^\d{2}/, '04'],
  [/^:/, ':'],
  [/^\d{2}(?:[.,]\d+)?/, '05'],
  [/^(?:Z|[+-]\d{2}:\d{2})/, 'Z07:00'],
];

function firstMismatch(text: string): { rest: string; part: string } {
  let rest = text;
  for (const [pattern, part] of parts) {
    const [found] = pattern.exec(rest) ?? [];
    if (found === undefined) return { rest, part };
    rest = rest.slice(found.length);
  }
  return { rest, part: '' };
}
