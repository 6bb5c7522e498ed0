/** The client violates SPDY/3.1 or exceeds a limit; the connection ends. */
export class SpdyError extends Error {}
