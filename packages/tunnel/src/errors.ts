/** Errors for a stream that could not be opened. In all these cases nothing was sent to the member (NAME-8: 503). */

export type TunnelErrorCode =
  /** No agent of the cluster is connected, or none with this target. */
  | 'ERR_NO_AGENT'
  /** The agent did not open the stream in time, or refused: it cannot reach its API server. */
  | 'ERR_AGENT_DIAL'
  /** The cluster's limit of channels is reached (AGENT-7). */
  | 'ERR_AGENT_CHANNELS';

export class TunnelError extends Error {
  readonly code: TunnelErrorCode;
  readonly sent = false;

  constructor(code: TunnelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));
