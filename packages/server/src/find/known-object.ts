/** What is known of an object in one member, without asking it (CACHE-8). */

export interface KnownObject {
  /** Undefined where the member has to be asked. */
  isThere(signal: AbortSignal): Promise<boolean | undefined>;
  /** Whether the request can be answered with the object's last known state, should the member be unreachable (CACHE-12). */
  wasThere(signal: AbortSignal): Promise<boolean>;
}
