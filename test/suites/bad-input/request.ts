/** One request of the generator, as its bytes go out. */

export interface FuzzRequest {
  /** Beside the seed, what to repeat it by. */
  index: number;
  method: string;
  /** The request line's path and query; `{token}` stands for a good continue token of a merged list. */
  target: string;
  headers: Record<string, string>;
  body?: Buffer;
}

/** In one line, for a report. */
export const shown = ({ index, method, target, headers, body }: FuzzRequest): string =>
  `#${index} ${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ` +
  (body === undefined ? 'no body' : JSON.stringify(body.subarray(0, 300).toString('latin1')));
