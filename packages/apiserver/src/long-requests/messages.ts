/** What goes to the thread of long requests and comes back. Bodies go as bytes: cloning what is in them would take as long as reading it. */

import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { Status } from '@fleet/kube/status.ts';
import type { AdmissionName } from '../admission/admission.ts';
import type { User } from '../authn/user.ts';
import type { LongEvent } from '../http/event-form.ts';
import type { ApiReply, ApiRequest } from '../http/message.ts';
import type { DocumentForm } from '../openapi/published-kind.ts';

export type LongJob =
  | ({ what: 'request' } & LongRequest)
  /** An object as a version shows it that is not the one it is kept in. */
  | { what: 'conversion'; path: Path; value: Uint8Array }
  /** A kind in OpenAPI. */
  | { what: 'description'; path: Path; form: DocumentForm }
  /** An event of a watch, in a form for which its object is read. */
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
      /** What no client is told of. */
      internal?: string;
    }
  | { is: 'value'; value: Uint8Array }
  /** How it is told depends on what else is served. */
  | { is: 'refused'; status: Status; internal?: string };

/** How the thread asks for what only the main thread knows. */
export interface ThreadPorts {
  store: MessagePort;
  rights: MessagePort;
}

/** What the thread serves as the main thread does. */
export interface ThreadOptions {
  /** Without it all. */
  kinds?: readonly string[] | undefined;
  admission: readonly AdmissionName[];
  /** The URL of an `AdmissionModule`. */
  admissionModule?: string | undefined;
}

type MessagePort = import('node:worker_threads').MessagePort;
