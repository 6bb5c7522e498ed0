/** Refusals of an API server that keeps objects itself, word for word as apimachinery's `api/errors` makes them. */

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

/** No name that is still free was found by chance. */
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

/** Of kinds that CRDs define. */
export const verbNotSupported = (what: GroupResource, verb: string): StatusError =>
  new StatusError(
    405,
    'MethodNotAllowed',
    `${verb === 'unknown' ? '' : verb} is not supported on resources of kind "${qualified(what)}"`,
    { group: what.group, kind: what.resource },
  );
