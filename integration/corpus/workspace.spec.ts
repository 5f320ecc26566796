/** The recorded requests of the workspace. */
import { describeCorpus } from './describe-corpus.js';

describeCorpus('workspace');
