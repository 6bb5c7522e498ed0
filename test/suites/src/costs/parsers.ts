/** Everything that reads what clients or members send, by what it reads. */

import { tokensOf } from '@fleet/apiserver/cel/lexer.ts';
import { parse as parseCel } from '@fleet/apiserver/cel/parser.ts';
import { jsonPath } from '@fleet/apiserver/crds/custom/json-path.ts';
import { goSyntaxFault } from '@fleet/apiserver/go-json/go-syntax.ts';
import { readQuantity } from '@fleet/apiserver/go-json/own-forms.ts';
import { duplicateFields, inOrderOfText } from '@fleet/apiserver/http/duplicate-fields.ts';
import { refuseBadTimeout } from '@fleet/apiserver/http/request-timeout.ts';
import { scheduleFault } from '@fleet/apiserver/kinds/cron-jobs/schedule.ts';
import { indexesOf, sharedIndex } from '@fleet/apiserver/kinds/jobs/indexes.ts';
import { parseIp, parseIpRange } from '@fleet/apiserver/kinds/rules/ip-address.ts';
import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  labelKeyFaults,
  labelValueFaults,
} from '@fleet/apiserver/names/name-rules.ts';
import { mergePatch } from '@fleet/apiserver/patch/json-merge-patch.ts';
import { applyJsonPatch } from '@fleet/apiserver/patch/json-patch.ts';
import { readJsonPatch } from '@fleet/apiserver/patch/json-patch-body.ts';
import { expressionOf } from '@fleet/apiserver/regular-expressions/expression.ts';
import { fitsFormat } from '@fleet/apiserver/schema/custom/formats.ts';
import { parseLabelSelector } from '@fleet/apiserver/selectors/label-selector.ts';
import { FieldValues } from '@fleet/cache/field-values.ts';
import { ingest } from '@fleet/cache/ingest.ts';
import { readBatch } from '@fleet/cache/reflector/watch-events.ts';
import { errorOf } from '@fleet/client/kube-client.ts';
import { parseGoDuration } from '@fleet/kube/go-duration.ts';
import { impersonationIn } from '@fleet/kube/impersonation-headers.ts';
import type { JsonObject } from '@fleet/kube/json-value.ts';
import { parseJson } from '@fleet/kube/json-value.ts';
import { splitList } from '@fleet/kube/list-splitter.ts';
import { acceptOnlyJson, parseAccept } from '@fleet/kube/negotiate.ts';
import { rewrittenQuantity } from '@fleet/kube/quantity.ts';
import { parseFieldSelector } from '@fleet/kube/selectors/field-selector.ts';
import { warningHeader } from '@fleet/kube/warning.ts';
import { watchLines } from '@fleet/kube/watch-lines.ts';
import { yamlDuplicates } from '@fleet/kube/yaml-duplicates.ts';
import { jsonOfYaml } from '@fleet/kube/yaml-json.ts';
import { bearerToken } from '@fleet/server/authn/token-review.ts';
import { bodyWork } from '@fleet/server/bodies/body-work.ts';
import { readRbacReason } from '@fleet/server/cache/rbac-reason.ts';
import { countedNode, countedPod } from '@fleet/server/controllers/counted-object.ts';
import { parseIndex } from '@fleet/server/discovery/openapi/index-document.ts';
import { forwardable } from '@fleet/server/http/hop-by-hop.ts';
import { statusForm } from '@fleet/server/http/status-form.ts';
import { refusedHead } from '@fleet/server/http/strict-head.ts';
import { readEventLine } from '@fleet/server/merge/event-line.ts';
import { readListQuery } from '@fleet/server/merge/list-query.ts';
import { answerHeaders } from '@fleet/server/pass/answer-headers.ts';
import { locationWithin } from '@fleet/server/pass/redirect.ts';
import { markingOf } from '@fleet/server/present/marking.ts';
import { presentAnswer } from '@fleet/server/present/one-object.ts';
import { presentWatch } from '@fleet/server/present/one-watch.ts';
import { readVersion } from '@fleet/server/present/versions.ts';
import { parseTarget } from '@fleet/server/target/parse.ts';
import { readWatchOptions } from '@fleet/server/watch/watch-options.ts';
import { commandRun } from '@fleet/simulator/nodes/command-run.ts';
import { LineEditor } from '@fleet/simulator/shell/line-editor.ts';
import { parseScript } from '@fleet/simulator/shell/parser.ts';
import { readAgentMessage } from '@fleet/tunnel/control-messages.ts';
import { handshake } from './binary.ts';
import type { Read } from './growth.ts';

const encoded = encodeURIComponent;
const list = '/api/v1/pods';

/** In a URL or a header, which are 64 KiB at the most. */
export const short: Record<string, Read> = {
  'a path': (text) => parseTarget('GET', `/${text}`),
  'a name': (text) => parseTarget('GET', `/api/v1/namespaces/d/pods/${encoded(text)}`),
  'a path at the aggregation endpoint': (text) =>
    parseTarget('GET', `/apis/search.karmada.io/v1alpha1/proxying/${text}`),
  'a path below a proxy': (text) => parseTarget('GET', `/clusterspaces/m1/api/v1/nodes/n/proxy/${text}`),
  'a query': (text) => parseTarget('GET', `${list}?${text}`),
  'a label selector': (text) => parseTarget('GET', `${list}?labelSelector=${encoded(text)}`),
  'a field selector': (text) => parseTarget('GET', `${list}?fieldSelector=${encoded(text)}`),
  'a timeout': (text) => readListQuery(`timeout=${encoded(text)}`),
  'a list’s query': (text) => readListQuery(text),
  'a list’s limit': (text) => readListQuery(`limit=${encoded(text)}`),
  'a watch’s query': (text) => readWatchOptions(text),
  'a version': (text) => readVersion(text),
  Accept: (text) => [parseAccept(text), acceptOnlyJson(text), statusForm(text)],
  Connection: (text) => forwardable({ connection: text }),
  'Sec-WebSocket-Protocol': (text) => forwardable({ 'sec-websocket-protocol': text }),
  'a bearer token': (text) => bearerToken({ headers: { authorization: `Bearer ${text}` } }),
  'a bearer protocol': (text) => bearerToken({ headers: { 'sec-websocket-protocol': text } }),
  'a WebSocket’s handshake': handshake,
  Host: (text) => refusedHead('1.1', { host: text }),
  impersonation: (text) => impersonationIn({ 'impersonate-user': text, [`impersonate-extra-${text}`]: text }),
  'a member’s headers': (text) =>
    answerHeaders({ status: 200, headers: { 'content-type': text, connection: text } }, true, false),
  'a member’s Location': (text) =>
    locationWithin({ inner: '/a', outer: '/b', query: '' }, { method: 'GET', path: '/a/b', query: '' }, text),
  'a warning': (text) => warningHeader(text),
  'the API server’s label selector': (text) => parseLabelSelector(text),
  'the API server’s field selector': (text) => parseFieldSelector(text, ['metadata.name']),
  'the API server’s timeout': (text) => refuseBadTimeout(new URLSearchParams({ timeout: text })),
};

const formats =
  'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 ssn hexcolor rgbcolor byte date duration datetime k8s-short-name k8s-long-name'.split(
    ' ',
  );

const phases = new FieldValues([{ name: 'status.phase', paths: [['status', 'phase']], zero: '', isUnique: false }]);
const ingested = (text: string) => ingest(Buffer.from(text), false, phases);

/** Values in bodies. */
export const values: Record<string, Read> = {
  ...Object.fromEntries(formats.map((format) => [`format ${format}`, (text: string) => fitsFormat(format, text)])),
  'a duration': (text) => parseGoDuration(text),
  'the reason of an access review': (text) => readRbacReason(`RBAC: allowed by ${text}`),
  'a schedule': (text) => [scheduleFault(text), scheduleFault(`@every ${text}`), scheduleFault(`${text} * * * *`)],
  'indexes of a Job': (text) => [indexesOf(text, 1000), sharedIndex(text, text, 1000)],
  'an address': (text) => parseIp(text),
  'a range of addresses': (text) => [parseIpRange(`${text}/8`), parseIpRange(`10.0.0.0/${text}`)],
  'a quantity': (text) => rewrittenQuantity(text),
  'the API server’s quantity': (text) => readQuantity(text),
  'names and labels': (text) =>
    [dnsLabelFaults, dnsSubdomainFaults, labelKeyFaults, labelValueFaults].map((faults) => faults(text)),
  'a JSONPath': (text) => jsonPath(`.${text}`),
  'tokens of CEL': (text) => tokensOf(text),
  'a text in CEL': (text) => parseCel(`x == ${JSON.stringify(text)}`),
  'a script for the shell of a pod': (text) => parseScript(text),
  'the command of a container': (text) => commandRun(['sh', '-c', text], false),
  'the command of a container, with conditions': (text) => commandRun(['sh', '-c', `if true; then ${text}; fi`], false),
  'keys at the terminal of a pod': (text) => {
    const editor = new LineEditor();
    return Array.from(text, (sign) => editor.key(sign));
  },
  'a pattern’s text': (text) => expressionOf('^(a+)+$').test(text),
};

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function drained(parts: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of parts);
}

const view = { names: 'name-suffixed' } as const;
const shown = { view, cluster: 'm1', name: 'a', namespace: 'd', marking: markingOf(view, 'm1', false, undefined) };

const bodyRead =
  (contentType: string): Read =>
  (text) => {
    const url = '/api/v1/namespaces/d/pods/x.clusterspace.m1';
    const parsed = parseTarget(contentType.includes('patch') ? 'PATCH' : 'PUT', url);
    const reading = bodyWork.read(parsed, { bytes: Buffer.from(text), contentType });
    return bodyWork.strip({ ...reading.raw, ...(reading.read ? { read: reading.read } : {}) }, 'm1');
  };

/** Bodies of clients and of members. */
export const bodies: Record<string, Read> = {
  JSON: bodyRead('application/json'),
  'a JSON patch': bodyRead('application/json-patch+json'),
  'a merge patch': bodyRead('application/merge-patch+json'),
  'JSON of the API server': (text) => parseJson(text),
  'what is wrong with JSON': (text) => goSyntaxFault(Buffer.from(text)),
  'fields that stand twice': (text) => {
    const paths = duplicateFields(text, parseJson(text));
    return inOrderOfText(
      text,
      paths.map((path) => ({ path, is: 'twice' })),
    );
  },
  'a merge patch applied': (text) => mergePatch({ a: {} }, parseJson(text) as JsonObject),
  'a JSON patch applied': (text) => {
    const body = readJsonPatch([{ op: 'add', path: '/a', value: parseJson(text) }]);
    return applyJsonPatch({}, body.operations);
  },
  'a list': (text) => drained(splitList(inPieces(text, 16 * 1024))),
  'a list in small pieces': (text) => drained(splitList(inPieces(text, 128))),
  'an item': (text) => drained(splitList(inPieces(`{"kind":"L","items":[${text}]}`, 128))),
  'what surrounds a list': (text) => drained(splitList(inPieces(`{"a":${text},"items":[]}`, 128))),
  'watch lines': (text) => drained(watchLines(inPieces(`${text}\n${text}`, 64))),
  'an event': (text) => readEventLine(Buffer.from(`{"type":"ADDED","object":${text}}`)),
  'a watch as a view shows it': (text) =>
    drained(presentWatch(inPieces(`{"type":"ADDED","object":${text}}\n`, 4096), shown)),
  'an object as a view shows it': (text) => presentAnswer(Buffer.from(text), shown),
  'an object that is cached': (text) => ingested(`{"metadata":{"name":"a","labels":${text}},"spec":${text}}`),
  'a row that is cached': (text) => ingested(`{"cells":${text},"object":{"metadata":{"name":"a"},"status":${text}}}`),
  'events that are cached': (text) => readBatch([Buffer.from(`{"type":"ADDED","object":${text}}`)], '1', 'row'),
  'a node': (text) => countedNode(Buffer.from(`{"status":{"conditions":${text},"x":${text}}}`)),
  'a pod': (text) => countedPod(Buffer.from(`{"metadata":${text},"spec":{"containers":[{"resources":${text}}]}}`)),
  'an index of OpenAPI': (text) => parseIndex(Buffer.from(`{"paths":${text}}`)),
  'a control message of an agent': (text) => readAgentMessage(`{"type":"later","x":${text}}`),
  'an error': (text) => errorOf(500, Buffer.from(text)),
};

/** YAML, of which Kubernetes takes as much as of JSON. */
export const yaml: Record<string, Read> = {
  YAML: (text) => jsonOfYaml(text),
  'keys that stand twice in YAML': (text) => yamlDuplicates(text),
};
