/** Parses the GET of one object as a member would. Undefined if only the member can answer it. */

import type { ItemForm } from '@fleet/cache/messages.ts';
import type { UpstreamCall } from '@fleet/client/upstream.ts';
import { firstJsonForm } from '@fleet/kube/negotiate.ts';
import { isDecimal } from '@fleet/kube/version-order.ts';
import { itemForm } from './cached-form.ts';

export interface ObjectQuery {
  at: { is: 'latest' } | { is: 'any' } | { is: 'not-older'; version: string };
  form: ItemForm;
  /** The member would indent the JSON, which the cache does not. */
  isPretty: boolean;
}

/** User agents for which kube-apiserver indents JSON. */
const prettyAgents = /^(curl|Wget|Mozilla\/5\.0)/;
/** A Namespace below a namespace, also below its own: the member answers 404. */
const belowNamespace = /^\/api\/[^/?]+\/namespaces\/[^/?]+\/namespaces\//;
const truthy = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

export function objectQuery({ method, path, headers, body }: UpstreamCall): ObjectQuery | undefined {
  const mark = path.indexOf('?');
  if (method !== 'GET' || body !== undefined || belowNamespace.test(path)) return undefined;
  const parameters = new URLSearchParams(mark < 0 ? '' : path.slice(mark + 1));
  const at = versionOf(parameters.get('resourceVersion') ?? '');
  const form = formOf(headers['accept'], parameters.get('includeObject') ?? '');
  if (!at || !form) return undefined;
  return { at, form, isPretty: isPretty(parameters.get('pretty') ?? '', headers['user-agent']) };
}

/** Undefined if invalid: the member rejects it. */
function versionOf(version: string): ObjectQuery['at'] | undefined {
  if (version === '') return { is: 'latest' };
  if (version === '0') return { is: 'any' };
  return isDecimal(version) ? { is: 'not-older', version } : undefined;
}

function formOf(accept: string | string[] | undefined, includeObject: string): ItemForm | undefined {
  const asked = firstJsonForm(accept === undefined ? undefined : [accept].flat().join(','));
  // v1beta1 Tables, and a list form for a single object, are left to the member.
  if (!asked || asked.version === 'v1beta1' || asked.form === 'PartialObjectMetadataList') return undefined;
  return itemForm(asked.form, { includeObject }, false);
}

function isPretty(asked: string, agent: string | string[] | undefined): boolean {
  if (asked !== '') return truthy.has(asked);
  return prettyAgents.test([agent ?? ''].flat().join());
}
