import { live } from './src/cached-fleet.ts';
import { pagesSuite } from './src/pages-suite.ts';

pagesSuite(live);
