/** The types of settings, read from the text of flags and variables or from YAML. Each error message names the expected form. */

import { isCidr } from '@fleet/client/address-check.ts';
import { durationExamples, parseDuration } from '@fleet/kube/duration.ts';
import { timerMillis } from '@fleet/kube/timer-millis.ts';
import { z } from 'zod';

const shown = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : JSON.stringify(value));

/** `read` returns undefined for an invalid value. */
const readAs = <T>(expected: string, read: (value: unknown) => T | undefined) =>
  z.unknown().transform((value, context): T => {
    const understood = read(value);
    if (understood !== undefined) return understood;
    context.addIssue({ code: 'custom', message: `${shown(value)} is not ${expected}` });
    return z.NEVER;
  });

export const text = z.string('must be a text').min(1, 'must not be empty');

export const boolean = readAs('true or false', (value) => {
  const words: unknown[] = [false, true, 'false', 'true'];
  return words.includes(value) ? words.indexOf(value) % 2 === 1 : undefined;
});

export const oneOf = <const T extends string>(...choices: [T, ...T[]]) =>
  z.enum(choices, { error: ({ input }) => `${shown(input)} is none of ${choices.join(', ')}` });

/** A YAML list, or texts separated by commas. */
const listOf = (expected: string, isOne: (text: string) => boolean) =>
  readAs(expected, (value) => {
    const list = typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value;
    return Array.isArray(list) && list.every((one) => typeof one === 'string' && isOne(one))
      ? (list as string[])
      : undefined;
  });

export const names = listOf('a list of names', (name) => name !== '');

export const cidrs = listOf('a list of addresses such as 169.254.10.0/24', isCidr);

/** `namespace/name[:port]=` an https URL or a cluster. */
const isServicePlace = (text: string): boolean => {
  const [, place = ''] = /^[a-z0-9][-a-z0-9]*\/[a-z0-9][-a-z0-9]*(?::\d{1,5})?=(\S+)$/.exec(text) ?? [];
  return /^https:\/\/[^?#]+$/.test(place) ? URL.canParse(place) : /^[a-z0-9][-a-z0-9]*$/.test(place);
};

export const servicePlaces = listOf(
  'a list such as hooks/example=https://hooks.example.com,hooks/other=member1',
  isServicePlace,
);

export const listenAddress = readAs('HOST:PORT with a port up to 65535', (value) => {
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(String(value));
  const port = Number(match?.[3]);
  return match && port <= 65535 ? { host: match[1] ?? match[2] ?? '', port } : undefined;
});

export const httpUrl = readAs('an http or https URL', (value) =>
  typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value) ? value : undefined,
);

export const count = readAs('a whole number', (value) =>
  /^\d{1,9}$/.test(String(value)) && typeof value !== 'object' ? Number(value) : undefined,
);

export const positive = readAs('a whole number above 0', (value) =>
  /^\d{1,9}$/.test(String(value)) && typeof value !== 'object' && Number(value) > 0 ? Number(value) : undefined,
);

/** In milliseconds. */
export const duration = readAs(`a time such as ${durationExamples}`, (value) => {
  const millis = typeof value === 'string' ? parseDuration(value) : undefined;
  return millis === undefined ? undefined : timerMillis(millis);
});
