/** Defines Kubernetes `Status`, the form of every error, and constructors for the errors of this product. */

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  /** `continue` is the token for an inconsistent continuation of an expired page (410). */
  metadata: { continue?: string };
  status: 'Failure' | 'Success';
  message: string;
  reason?: string;
  details?: StatusDetails;
  code: number;
}

export interface StatusErrorOptions extends ErrorOptions {
  continueToken?: string | undefined;
}

/** An error that is sent to the client. Anything else that is thrown becomes a 500 without its text. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  /** Where an expired list can continue, though not consistently. */
  readonly continueToken: string | undefined;

  constructor(code: number, reason: string, message: string, details?: StatusDetails, options?: StatusErrorOptions) {
    super(message, options);
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.continueToken = options?.continueToken;
  }

  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continueToken ? { continue: this.continueToken } : {},
      status: 'Failure',
      message: this.message,
      ...(this.reason ? { reason: this.reason } : {}),
      ...(this.details ? { details: this.details } : {}),
      code: this.code,
    };
  }
}

/** A resource as error messages name it: `deployments.apps`, `pods`. */
export interface GroupResource {
  group: string;
  resource: string;
}

export const qualified = ({ group, resource }: GroupResource): string => (group ? `${resource}.${group}` : resource);

const detailsOf = (what: GroupResource, name?: string): StatusDetails => ({
  ...(name ? { name } : {}),
  ...(what.group ? { group: what.group } : {}),
  kind: what.resource,
});

export const badRequest = (message: string, options?: ErrorOptions): StatusError =>
  new StatusError(400, 'BadRequest', message, undefined, options);

export const unauthorized = (): StatusError => new StatusError(401, 'Unauthorized', 'Unauthorized');

export const forbidden = (message: string, what?: GroupResource, name?: string): StatusError =>
  new StatusError(403, 'Forbidden', message, what ? detailsOf(what, name) : {});

export const notFound = (what: GroupResource, name: string): StatusError =>
  new StatusError(404, 'NotFound', `${qualified(what)} "${name}" not found`, detailsOf(what, name));

/** kube-apiserver's error for a path or resource that it does not serve. */
export const noSuchResource = (): StatusError =>
  new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});

export const methodNotAllowed = (message: string): StatusError => new StatusError(405, 'MethodNotAllowed', message, {});

export const notAcceptable = (accepted: readonly string[]): StatusError =>
  new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`);

/** The form of a single object, requested for a list. */
export const notOneObject = (): StatusError =>
  new StatusError(406, 'NotAcceptable', 'you requested PartialObjectMetadata, but the requested object is a list');

export const expired = (message: string, options?: StatusErrorOptions): StatusError =>
  new StatusError(410, 'Expired', message, undefined, options);

export const tooManyRequests = (): StatusError =>
  new StatusError(429, 'TooManyRequests', 'Too many requests, please try again later.', { retryAfterSeconds: 1 });

export const requestTooLarge = (limit: number): StatusError =>
  new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);

export const uriTooLong = (limit: number): StatusError =>
  new StatusError(414, 'RequestURITooLong', `Request URI too long: limit is ${limit}`);

export const unavailable = (message: string, details?: StatusDetails, options?: ErrorOptions): StatusError =>
  new StatusError(503, 'ServiceUnavailable', message, details, options);

export const timedOut = (message: string, details?: StatusDetails, options?: ErrorOptions): StatusError =>
  new StatusError(504, 'Timeout', message, details, options);

export const badGateway = (message: string, options?: ErrorOptions): StatusError =>
  new StatusError(502, 'InternalError', message, undefined, options);

export const internalError = (cause: unknown): StatusError =>
  new StatusError(500, 'InternalError', 'Internal error occurred', undefined, { cause });

/** The Status of anything thrown; an unexpected error stays in `cause` for the log. */
export const statusErrorOf = (thrown: unknown): StatusError =>
  thrown instanceof StatusError ? thrown : internalError(thrown);
