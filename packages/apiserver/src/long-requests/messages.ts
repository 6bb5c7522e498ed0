/** The messages to and from the thread of long requests. Bodies are sent as bytes: cloning decoded values would take too long. */

import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { Status } from '@fleet/kube/status.ts';
import type { AdmissionName } from '../admission/admission.ts';
import type { User } from '../authn/user.ts';
import type { LongEvent } from '../http/event-form.ts';
import type { ApiReply, ApiRequest } from '../http/message.ts';
import type { DocumentForm } from '../openapi/published-kind.ts';

export type LongJob =
  | ({ what: 'request' } & LongRequest)
  /** Converts an object to another version than the stored one. */
  | { what: 'conversion'; path: Path; value: Uint8Array }
  /** Encodes the OpenAPI schema of a kind. */
  | { what: 'description'; path: Path; form: DocumentForm }
  /** Encodes a watch event in a form that requires a decoded object. */
  | ({ what: 'event'; path: Path } & LongEvent);

export type Path = Pick<ResourceRequest, 'group' | 'version' | 'resource'>;

export interface LongRequest {
  request: Pick<ApiRequest, 'method' | 'url' | 'headers'> & { body: Uint8Array };
  ask: ResourceRequest;
  user: User;
  createRefused?: Status | undefined;
}

export type LongReply =
  | {
      is: 'reply';
      reply: Pick<ApiReply, 'status' | 'headers' | 'media'> & { body: Uint8Array };
      warnings: string[];
      /** An error that clients do not see. */
      internal?: string;
    }
  | { is: 'value'; value: Uint8Array }
  /** Its text depends on what else is served. */
  | { is: 'refused'; status: Status; internal?: string };

/** The thread's access to state of the main thread. */
export interface ThreadPorts {
  store: MessagePort;
  permissions: MessagePort;
}

/** The configuration that the thread shares with the main thread. */
export interface ThreadOptions {
  /** Undefined means all. */
  kinds?: readonly string[] | undefined;
  admission: readonly AdmissionName[];
  /** The URL of an `AdmissionModule`. */
  admissionModule?: string | undefined;
}

type MessagePort = import('node:worker_threads').MessagePort;
