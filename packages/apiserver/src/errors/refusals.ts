/** Errors of an API server with its own storage, word for word as in apimachinery's `api/errors`. */

import { type GroupResource, qualified, StatusError } from '@fleet/kube/status.ts';
import { causeOf, type FieldError, textOf } from './field-error.ts';

export interface GroupKind {
  group: string;
  kind: string;
}

const about = (what: GroupResource, name: string) => ({
  name,
  ...(what.group ? { group: what.group } : {}),
  kind: what.resource,
});

export const alreadyExists = (what: GroupResource, name: string, isGoing = false): StatusError =>
  new StatusError(
    409,
    'AlreadyExists',
    `${isGoing ? 'object is being deleted: ' : ''}${qualified(what)} "${name}" already exists`,
    about(what, name),
  );

/** All generated names were taken. */
export const noNameGenerated = (what: GroupResource, name: string): StatusError =>
  new StatusError(
    409,
    'AlreadyExists',
    `${qualified(what)} "${name}" already exists, the server was not able to generate a unique name for the object`,
    { ...about(what, name), retryAfterSeconds: 1 },
  );

export const conflict = (what: GroupResource, name: string, why: string): StatusError =>
  new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(what)} "${name}": ${why}`,
    about(what, name),
  );

export const invalid = ({ group, kind }: GroupKind, name: string, errors: readonly FieldError[]): StatusError =>
  new StatusError(
    422,
    'Invalid',
    `${group ? `${kind}.${group}` : kind} "${name}" is invalid${errors.length > 0 ? `: ${textOf(errors)}` : ''}`,
    { ...(name ? { name } : {}), ...(group ? { group } : {}), ...(kind ? { kind } : {}), causes: errors.map(causeOf) },
  );

/** For kinds that CRDs define. */
export const verbNotSupported = (what: GroupResource, verb: string): StatusError =>
  new StatusError(
    405,
    'MethodNotAllowed',
    `${verb === 'unknown' ? '' : verb} is not supported on resources of kind "${qualified(what)}"`,
    { group: what.group, kind: what.resource },
  );
