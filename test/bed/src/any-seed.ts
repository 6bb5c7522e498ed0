/** The seed of a suite that was given none: another each time, but one for all suites of a run that is to be repeatable. */
export const anySeed = (): number => Number(process.env['FLEET_BED_SEED'] ?? Math.floor(Math.random() * 1_000_000));
