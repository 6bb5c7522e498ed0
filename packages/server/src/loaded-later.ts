/** Files that are loaded when they are needed, many of them by threads alone; all others come with the server. */
export const loadedLater: readonly string[] = [
  '@fleet/apiserver/pki/certificates.ts',
  './bodies/body-thread.ts',
  '@fleet/apiserver/store/worker/store-thread.ts',
  '@fleet/apiserver/crds/thread/validation-thread.ts',
  '@fleet/apiserver/long-requests/request-thread.ts',
].map((file) => import.meta.resolve(file));
