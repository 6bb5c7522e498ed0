/** The reason why there is no connection to a member, for the condition of its Cluster and the log. */

export interface ConnectionError {
  is: 'connection-error';
  reason:
    | 'CredentialMissing'
    | 'SecretNotAllowed'
    | 'EndpointInvalid'
    | 'AgentNotConnected'
    | 'TLSVerificationRequired';
  message: string;
}

const connectionError =
  (reason: ConnectionError['reason']) =>
  (message: string): ConnectionError => ({ is: 'connection-error', reason, message });

export const missing = connectionError('CredentialMissing');
export const notAllowed = connectionError('SecretNotAllowed');
export const noAgent = connectionError('AgentNotConnected');
export const unverified = connectionError('TLSVerificationRequired');
export const invalid = connectionError('EndpointInvalid');
