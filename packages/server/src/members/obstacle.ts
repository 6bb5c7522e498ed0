/** Why there is no connection to a member: for its Cluster's condition and the log. */

export interface Obstacle {
  is: 'obstacle';
  reason: 'CredentialMissing' | 'SecretNotAllowed' | 'EndpointInvalid';
  message: string;
}

const obstacle =
  (reason: Obstacle['reason']) =>
  (message: string): Obstacle => ({ is: 'obstacle', reason, message });

export const missing = obstacle('CredentialMissing');
export const notAllowed = obstacle('SecretNotAllowed');
export const invalid = obstacle('EndpointInvalid');
