/** The suites that run on the control plane in the product, too (CP-4). */

/** Short, and together they use all that the product asks of a control plane: with every change. */
export const shortEmbeddedSuites = [
  'test/suites/clusters-removal.bed.ts',
  'test/suites/join.bed.ts',
  'test/suites/reviews.bed.ts',
];

export const embeddedSuites = [...shortEmbeddedSuites, 'test/suites/pages.bed.ts', 'test/suites/rights.bed.ts'];
