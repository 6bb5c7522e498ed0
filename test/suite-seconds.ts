/** How long suites take on two cores, about: what decides which begin first. */
export const suiteSeconds: Readonly<Record<string, number>> = {};
