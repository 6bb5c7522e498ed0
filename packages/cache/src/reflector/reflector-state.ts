/** The state that a reflector reports: its phase, since when, and the last error (CACHE-2). */

import type { Clock } from '@fleet/client/clock.ts';

export type Phase =
  /** Its first list is under way, or another one because the watch could not resume. */
  | 'filling'
  | 'synced'
  /** The member cannot be reached, or answers with server errors. */
  | 'unreachable'
  /** The member's responses cannot be parsed. */
  | 'failing'
  /** Nothing more fits (CACHE-18). */
  | 'full'
  /** The member does not serve the resource, or does not support watching it. */
  | 'absent'
  /** The product is not allowed to list or watch it. */
  | 'refused';

export interface ReflectorState {
  is: Phase;
  /** Since when, in milliseconds since 1970. */
  since: number;
  lastError: string | undefined;
  /** When the last event, bookmark or list came. */
  lastEvent: number | undefined;
}

export class StateReport {
  lastEvent: number | undefined;
  private readonly clock: Clock;
  private readonly push: (state: ReflectorState) => void;
  private phase: Phase = 'filling';
  private since: number;
  private lastError: string | undefined;

  constructor(clock: Clock, push: (state: ReflectorState) => void) {
    this.clock = clock;
    this.push = push;
    this.since = clock.now();
  }

  get now(): ReflectorState {
    return { is: this.phase, since: this.since, lastError: this.lastError, lastEvent: this.lastEvent };
  }

  /** Pushes the state if it changed. */
  enter(phase: Phase, error?: string): void {
    const isNew = phase !== this.phase;
    if (!isNew && (error === undefined || error === this.lastError)) return;
    if (isNew) this.since = this.clock.now();
    this.phase = phase;
    this.lastError = error ?? this.lastError;
    this.push(this.now);
  }
}
