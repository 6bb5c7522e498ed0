/** The client does not speak SPDY/3.1, or more of it than is taken: the connection ends. */
export class SpdyError extends Error {}
