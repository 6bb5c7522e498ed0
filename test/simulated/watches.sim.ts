import { live } from './src/cached-fleet.ts';
import { joiningSuite } from './src/joining-suite.ts';
import { watchesSuite } from './src/watches-suite.ts';

joiningSuite();
watchesSuite({ variants: [live] });
