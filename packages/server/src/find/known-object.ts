/** What the cache knows of an object in one member (CACHE-8). */

export interface KnownObject {
  /** Undefined where the member has to be asked. */
  isThere(signal: AbortSignal): Promise<boolean | undefined>;
  /** Whether the object's last known state can be the answer if the member is unreachable (CACHE-12). */
  wasThere(signal: AbortSignal): Promise<boolean>;
}
