/** Lets a process of its own run TypeScript of the tests, over the sources of the packages: `node --import …/typescript-sources.mjs file.ts`. */
import { register } from 'node:module';

register('./typescript-loader.mjs', import.meta.url);
