/**
 * Encodes the frames of SPDY/3.1.
 * Control: `1 version:15 type:16 flags:8 length:24 payload`. Data: `0 stream:31 flags:8 length:24 payload`.
 */

import { numbers } from './header-block.ts';

export const types = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

export const flags = { fin: 1, unidirectional: 2 } as const;

export const resetStatus = { protocolError: 1, refusedStream: 3, cancel: 5 } as const;

export type ResetStatus = (typeof resetStatus)[keyof typeof resetStatus];

export const goAwayStatus = { ok: 0, protocolError: 1 } as const;

export const initialWindowSetting = 7;

/** The default of SPDY/3.1, for each stream and for the whole connection. */
export const defaultWindow = 64 * 1024;

export interface ControlFrame {
  type: number;
  flags: number;
  payload: Buffer;
}

export const controlFrame = (type: number, flag: number, payload: Buffer): Buffer =>
  Buffer.concat([numbers((0x8003_0000 | type) >>> 0, ((flag << 24) | payload.length) >>> 0), payload]);

export const dataFrame = (stream: number, payload: Uint8Array, isLast: boolean): Buffer =>
  Buffer.concat([numbers(stream, ((isLast ? flags.fin << 24 : 0) | payload.length) >>> 0), payload]);

export const resetFrame = (stream: number, status: ResetStatus): Buffer =>
  controlFrame(types.rstStream, 0, numbers(stream, status));

export const windowUpdate = (stream: number, delta: number): Buffer =>
  controlFrame(types.windowUpdate, 0, numbers(stream, delta));
