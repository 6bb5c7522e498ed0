/** Which of Kubernetes' specs are run: ten for every change, all of the API machinery's for `npm run test:long`. */

export interface Selection {
  /** Regular expressions over full names; any of them selects. */
  focus: readonly string[];
  skip: readonly string[];
}

/** What needs a pod that really runs, a server of its own or the whole cluster to itself is left out. */
export const longSelection: Selection = {
  focus: ['\\[sig-api-machinery\\].*\\[Conformance\\]', 'API Streaming .aka. WatchList.'],
  skip: ['[Ww]ebhook|Aggregator|Serial|Disruptive|compact|expired'],
};

/** Selects the specs whose full names contain one of these. `RegExp.escape` writes what Go does not read. */
export const named = (names: readonly string[]): Selection => ({
  focus: names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')),
  skip: [],
});

/** Fast and steady ones, each of another corner. */
export const shortSelection = named([
  'Watchers should be able to start watching from a specific resource version',
  'Watchers should be able to restart watching from the last resource version observed by the previous watch',
  'Servers with support for API chunking should return chunks of results for list calls',
  'Simple CustomResourceDefinition creating/deleting custom resource definition objects works',
  'should include custom resource definition resources in discovery documents',
  'Garbage collector should delete RS created by deployment when not orphaning',
  'OrderedNamespaceDeletion namespace deletion should delete pod first',
  'FieldValidation should detect unknown and duplicate fields of a typed object',
  'ResourceQuota should manage the lifecycle of a ResourceQuota',
  'Discovery should locate the groupVersion and a resource within each APIGroup',
]);
