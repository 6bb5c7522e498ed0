/**
 * The control messages between agent and server: JSON, one message per line, over the SSH subsystem `fleet-agent`. A stock
 * ssh opens no such session. Unknown message types and fields are ignored, so that neighbouring versions work together.
 */

import { isRecord } from '@fleet/kube/is-record.ts';
import type { StreamKind } from './targets.ts';

export const controlSubsystem = 'fleet-agent';

/** The credentials that an agent hands over (AGENT-10), as plain text, not base64. */
export interface AgentCredentials {
  caBundle: string;
  controlToken: string;
  impersonatorToken: string;
}

export type AgentMessage =
  /** The first message. `instance` is the same for both connections of an agent. */
  | { type: 'hello'; version: string; instance: string; kind: StreamKind }
  | { type: 'credentials'; id: number; credentials: AgentCredentials };

export type ServerMessage =
  | { type: 'welcome'; version: string }
  | { type: 'credentials-stored'; id: number }
  | { type: 'credentials-refused'; id: number; message: string }
  /** The other addresses that the agent has to connect to (AGENT-8). */
  | { type: 'replicas'; self: string; count: number; addresses: string[] };

const textLimit = 256;
const credentialLimit = 128 * 1024;

const isText = (value: unknown, most = textLimit): value is string => typeof value === 'string' && value.length <= most;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Undefined for an unknown type. Throws if a message of a known type is malformed. */
export function readAgentMessage(line: string): AgentMessage | undefined {
  const message = parse(line);
  switch (message['type']) {
    case 'hello': {
      const { version, instance, kind } = message;
      if (!isText(version) || !isText(instance) || (kind !== 'bulk' && kind !== 'interactive'))
        throw malformed('hello');
      return { type: 'hello', version, instance, kind };
    }
    case 'credentials': {
      const { id, credentials } = message;
      if (!isCount(id) || !isRecord(credentials)) throw malformed('credentials');
      const { caBundle, controlToken, impersonatorToken } = credentials;
      const isWhole =
        isText(caBundle, credentialLimit) &&
        isText(controlToken, credentialLimit) &&
        isText(impersonatorToken, credentialLimit);
      if (!isWhole) throw malformed('credentials');
      return { type: 'credentials', id, credentials: { caBundle, controlToken, impersonatorToken } };
    }
    default:
      return undefined;
  }
}

/** As `readAgentMessage`. */
export function readServerMessage(line: string): ServerMessage | undefined {
  const message = parse(line);
  switch (message['type']) {
    case 'welcome': {
      const { version } = message;
      if (!isText(version)) throw malformed('welcome');
      return { type: 'welcome', version };
    }
    case 'credentials-stored':
    case 'credentials-refused': {
      const { type, id, message: text = '' } = message;
      if (!isCount(id) || !isText(text, 4096)) throw malformed(type);
      return type === 'credentials-stored' ? { type, id } : { type, id, message: text };
    }
    case 'replicas': {
      const { self, count, addresses } = message;
      const isList = Array.isArray(addresses) && addresses.length <= 1000 && addresses.every((one) => isText(one));
      if (!isText(self) || !isCount(count) || !isList) throw malformed('replicas');
      return { type: 'replicas', self, count, addresses };
    }
    default:
      return undefined;
  }
}

const malformed = (type: string): Error => new Error(`malformed control message ${type}`);

function parse(line: string): Record<string, unknown> {
  // The text may hold a token, which the parser's error would quote.
  try {
    const value: unknown = JSON.parse(line);
    if (isRecord(value)) return value;
  } catch {
    throw new Error('a control message is not JSON');
  }
  throw new Error('a control message is not an object');
}
