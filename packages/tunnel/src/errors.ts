/** Why a stream through the tunnel could not be opened. Nothing was sent to the member in any of these cases (NAME-8: 503). */

export type TunnelErrorCode =
  /** No agent of the cluster is connected, or none with this target. */
  | 'ERR_NO_AGENT'
  /** The agent did not open the stream in time, or refused: its API server is unreachable from there. */
  | 'ERR_AGENT_DIAL'
  /** As many channels as a cluster may have are in use (AGENT-7). */
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
