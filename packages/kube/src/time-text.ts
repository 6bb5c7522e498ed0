/** Writes a time as Kubernetes' `metav1.Time`: whole seconds, UTC. */
export const timeText = (millis: number): string => `${new Date(millis).toISOString().slice(0, 19)}Z`;
