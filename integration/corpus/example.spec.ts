/** The recorded requests of the example. */
import { describeCorpus } from './describe-corpus.js';

describeCorpus('example');
