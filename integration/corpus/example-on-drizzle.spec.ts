/** The recorded requests of the example, answered by Drizzle. */
import { describeCorpus } from './describe-corpus.js';

describeCorpus('example on Drizzle');
