/** What is wrong with the clientConfig of a webhook: it has exactly one of url and service, and HTTPS. */

import { isRecord } from '@fleet/kube/is-record.ts';
import { decodeBase64 } from './base64.ts';
import { isSubdomain } from './domain-names.ts';
import { type Fault, invalid, required } from './faults.ts';

export function clientFaults(field: string, config: unknown): Fault[] {
  const { url, service, caBundle } = isRecord(config) ? config : {};
  const faults: Fault[] = [];
  const hasUrl = url !== undefined && url !== null;
  const hasService = service !== undefined && service !== null;
  if (hasUrl === hasService) faults.push(required(field, 'exactly one of url or service is required'));
  else if (hasUrl) faults.push(...urlFaults(`${field}.url`, url));
  else faults.push(...serviceFaults(`${field}.service`, service));
  if (caBundle !== undefined && caBundle !== null && !isBase64(caBundle)) {
    // Not shown: by mistake it may be a key.
    faults.push(invalid(`${field}.caBundle`, '', 'must be base64 of PEM certificates'));
  }
  return faults;
}

const isBase64 = (value: unknown): boolean => typeof value === 'string' && decodeBase64(value) !== undefined;

const form = '; desired format: https://host[/path]';

/** The URL itself is not shown where it may hold a password. */
function urlFaults(field: string, text: unknown): Fault[] {
  if (typeof text !== 'string' || !URL.canParse(text)) return [required(field, `url must be a valid URL${form}`)];
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https') return [invalid(field, scheme, `'https' is the only allowed URL scheme${form}`)];
  // `https:host` and `https:///host` are read as `https://host`, but are not what anybody means.
  if (!/^https:\/\/[^/\\]/i.test(text)) return [invalid(field, '', `host must be specified${form}`)];
  const faults: Fault[] = [];
  if (url.username || url.password) {
    faults.push(invalid(field, url.username, 'user information is not permitted in the URL'));
  }
  if (url.hash) faults.push(invalid(field, url.hash, 'fragments are not permitted in the URL'));
  if (url.search) faults.push(invalid(field, url.search, 'query parameters are not permitted in the URL'));
  return faults;
}

function serviceFaults(field: string, service: unknown): Fault[] {
  if (!isRecord(service)) return [invalid(field, service, 'must be an object')];
  const { namespace, name, port, path } = service;
  const faults: Fault[] = [];
  if (typeof name !== 'string' || !name) faults.push(required(`${field}.name`));
  if (typeof namespace !== 'string' || !namespace) faults.push(required(`${field}.namespace`));
  const isPort = Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65_535;
  if (port !== undefined && port !== null && !isPort) {
    faults.push(invalid(`${field}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'));
  }
  if (path !== undefined && path !== null) faults.push(...pathFaults(`${field}.path`, path));
  return faults;
}

function pathFaults(field: string, path: unknown): Fault[] {
  if (path === '' || path === '/') return [];
  if (typeof path !== 'string' || !path.startsWith('/')) return [invalid(field, path, "must start with a '/'")];
  const steps = path.slice(1, path.endsWith('/') ? -1 : undefined).split('/');
  return steps.flatMap((step, index) => {
    if (step === '') return [invalid(field, path, `segment[${index}] may not be empty`)];
    return isSubdomain(step) ? [] : [invalid(field, path, `segment[${index}]: must be a lowercase RFC 1123 subdomain`)];
  });
}
