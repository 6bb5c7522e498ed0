/** What a simulated container does, by the annotations of its pod and by its command. */

/** How long a container runs, and how it ends. */
export interface Run {
  /** Undefined: until it is stopped. */
  readonly seconds: number | undefined;
  readonly exitCode: number;
  readonly reason: 'Completed' | 'Error' | 'OOMKilled';
}

export type ProbeName = 'readiness' | 'liveness' | 'startup';

export interface Behaviour {
  readonly run: Run;
  /** Why its image cannot be pulled; undefined: it can. */
  readonly pullError: string | undefined;
  readonly pullSeconds: number;
  /** Between the image and the start: the container is being created. */
  readonly startSeconds: number;
  /** After its start probes fail for so long. */
  readonly warmUpSeconds: number;
  readonly failingProbes: readonly ProbeName[];
  /** They fail from so many seconds after the start on. */
  readonly failProbesAfterSeconds: number;
  /** From SIGTERM to its end. */
  readonly stopSeconds: number;
  /** Lines per second; undefined: whatever logs do by default. */
  readonly logRate: number | undefined;
}
