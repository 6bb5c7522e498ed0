/** The aggregation endpoint, which karmada-search has, too. */

export const proxied = '/apis/search.karmada.io/v1alpha1/proxying/karmada/proxy';
export const podsPath = `${proxied}/api/v1/pods`;
