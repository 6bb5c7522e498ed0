/** What a reflector reports of its member: how far it has come, since when, and what last went wrong (CACHE-2). */

import type { Clock } from '@fleet/client/clock.ts';

export type Phase =
  /** Its first list, or one after a gap, is under way. */
  | 'filling'
  | 'synced'
  /** It cannot be reached, or cannot answer. */
  | 'unreachable'
  /** Its answers cannot be read. */
  | 'failing'
  /** Nothing more fits (CACHE-18). */
  | 'full'
  /** The member does not serve the resource, or not so that it can be watched. */
  | 'absent'
  /** The member does not grant it to the product. */
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

  /** Pushed if it changes anything. */
  enter(phase: Phase, error?: string): void {
    const isNew = phase !== this.phase;
    if (!isNew && (error === undefined || error === this.lastError)) return;
    if (isNew) this.since = this.clock.now();
    this.phase = phase;
    this.lastError = error ?? this.lastError;
    this.push(this.now);
  }
}
