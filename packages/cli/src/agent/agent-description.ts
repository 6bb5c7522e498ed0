/** The text of `fleet describe agent`, laid out as by `kubectl describe`. */

import type { Agent, AgentReplica } from '@fleet/server/members/agent.ts';
import { columns, conditionsText, fields } from '../description-layout.ts';
import { sizeText } from '../registry-description.ts';

export function describeAgent({ metadata, spec, status }: Agent): string {
  const { secretRef, tokenRef, publicKeys = [] } = spec ?? {};
  const refText = (ref: typeof secretRef) => (ref ? `Secret ${ref.namespace}/${ref.name}` : '<none>');
  return [
    fields([
      ['Name', metadata.name],
      ['Created', metadata.creationTimestamp],
      ['Credential', refText(secretRef)],
      ['Tokens', tokenRef ? refText(tokenRef) : '<none>: the cluster is reached directly'],
      ['Public keys', publicKeys.map(keyText).join(', ') || '<none>'],
    ]),
    conditionsText(status?.conditions),
    replicasText(status?.replicas),
  ].join('');
}

const longest = 100;
/** Agents and people write these: what they write ends no line, and commands no terminal. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').slice(0, longest);

/** Its type and comment, which people know it by, and the last signs of it. */
function keyText(line: string): string {
  const [type = '', key = '', ...comment] = oneLine(line.trim()).split(' ');
  return [type, `…${line.trim().split(/\s/)[1]?.slice(-8) ?? key}`, ...comment].join(' ').trim();
}

function replicasText(replicas: readonly AgentReplica[] = []): string {
  if (replicas.length === 0) return 'Connections:  <none>\n';
  const heading = ['Replica', 'State', 'Address', 'Version', 'Since', 'Last seen', 'Received', 'Sent', 'Streams'];
  return `Connections:\n${columns([heading, ...replicas.map(rowOf)])}`;
}

const rowOf = (one: AgentReplica): string[] => [
  oneLine(one.replica),
  one.state ?? '',
  oneLine(one.address ?? '<none>'),
  oneLine(one.version ?? '<stock ssh>'),
  one.connectedSince ?? '<none>',
  one.lastSeen ?? '<none>',
  sizeText(one.bytesReceived ?? 0),
  sizeText(one.bytesSent ?? 0),
  String(one.streams ?? 0),
];
