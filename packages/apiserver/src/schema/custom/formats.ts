/** The string formats of CRDs. ISBNs and credit cards are only required to be strings. */

import { isIPv4, isIPv6 } from 'node:net';
import { isGoDuration } from '@fleet/kube/go-duration.ts';
import { expressionOf } from '../../regular-expressions/expression.ts';
import type { Schema } from '../open-api.ts';
import { Result } from './result.ts';

const matching = (expression: RegExp) => (text: string) => expression.test(text);

const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;

function isDateTime(text: string): boolean {
  const [, date, hours, minutes, seconds] =
    /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  return date !== undefined && isDate(date) && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
}

function isCidr(text: string): boolean {
  const [, address = '', bits] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128);
}

/** Checked by parts, as one backtracking pattern would be ambiguous. */
const hostname =
  '^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$';

const isHostname = (text: string): boolean =>
  Buffer.byteLength(text) <= 255 &&
  text.split('.').every((part) => Buffer.byteLength(part) <= 63) &&
  expressionOf(hostname).test(text);

const longDuration =
  /^(\d+)\s*(ns|nano|us|µs|micro|ms|milli|s|sec|m|min|h|hr|hour|d|day|w|week|nanosecond|microsecond|millisecond|second|minute)s?$/;

const formats: { [name: string]: (text: string) => boolean } = {
  bsonobjectid: matching(/^[0-9a-f]{24}$/i),
  uri: (text) => text.startsWith('/') || URL.canParse(text),
  email: matching(/^[^@\s<>]+@[^@\s<>]+$/),
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: isCidr,
  mac: matching(/^([0-9a-f]{2}([:-])[0-9a-f]{2}(\2[0-9a-f]{2}){4}|([0-9a-f]{4}\.){2}[0-9a-f]{4})$/i),
  uuid: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: () => true,
  isbn10: () => true,
  isbn13: () => true,
  creditcard: () => true,
  ssn: matching(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matching(
    /^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*(,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*){2}\)$/,
  ),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  password: () => true,
  date: isDate,
  duration: (text) => isGoDuration(text) || longDuration.test(text),
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text),
  k8slongname: (text) =>
    text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text),
};

const normalised = (format: string): string => format.replaceAll('-', '');

/** Unknown formats are ignored. */
export function supportedFormat(schema: Schema): string {
  const { type, format = '' } = schema;
  if (schema['x-kubernetes-int-or-string']) return '';
  if (type === undefined || type === 'string') return Object.hasOwn(formats, normalised(format)) ? format : '';
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : '';
  return type === 'number' && (format === 'float' || format === 'double') ? format : '';
}

/** For a known format. */
export const fitsFormat = (format: string, text: string): boolean => formats[normalised(format)]?.(text) ?? true;

export function checkFormat(text: string, format: string, path: string): Result {
  const fits = formats[normalised(format)];
  if (!fits || fits(text)) return new Result();
  const message = `${path} in body must be of type ${format}: ${JSON.stringify(text)}`;
  return Result.of({ what: 'type', path, message, value: text });
}
