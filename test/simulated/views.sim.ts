import { viewsSuite } from './src/views-suite.ts';

viewsSuite();
