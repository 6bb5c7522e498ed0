/** Files that are loaded when they are first used, many of them only by worker threads. All others are loaded at the start. */
export const loadedLater: readonly string[] = [
  '@fleet/apiserver/pki/certificates.ts',
  './bodies/body-thread.ts',
  '@fleet/apiserver/store/worker/store-thread.ts',
  '@fleet/apiserver/crds/thread/validation-thread.ts',
  '@fleet/apiserver/long-requests/request-thread.ts',
].map((file) => import.meta.resolve(file));
