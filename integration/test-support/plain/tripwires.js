/** What only fast paths call, by file, and Jest's transformer that puts a tripwire there: in the run with fast paths off, whoever takes one is refused and found out; refuses a function that the file does not have. */
import { join } from 'node:path';
import swcJest from '@swc/jest';

/** Where a fast path asks whether it may be taken, and the function that it would then go through. */
export const TRIPWIRES = [
  {
    asks: 'crud/src/interceptors/text-response.ts',
    file: 'crud/src/response/json-text.ts',
    function: 'wantText',
  },
  {
    asks: 'crud/src/routes/parameters.ts',
    file: 'crud/src/interceptors/arrival.ts',
    function: 'arrivalIn',
  },
  {
    asks: 'crud/src/serialization/to-plain.ts',
    file: 'crud/src/serialization/to-plain.ts',
    function: 'plainValue',
  },
  {
    asks: 'crud/src/validation/accepting.ts',
    file: 'crud/src/validation/undecorated.ts',
    function: 'instancesOf',
  },
  {
    asks: 'crud-typeorm/src/sql/form-rows.ts',
    file: 'crud-typeorm/src/rows/array-rows.ts',
    function: 'arrayQueryOf',
  },
  {
    asks: 'crud-typeorm/src/sql/read-text.ts',
    file: 'crud-typeorm/src/json/record-plan.ts',
    function: 'recordPlanOf',
  },
  {
    asks: 'crud-typeorm/src/returning/coverage.ts',
    file: 'crud-typeorm/src/returning/answer.ts',
    function: 'answerOf',
  },
];

/** The files, for Jest's option `transform`. */
export const TRIPPED_FILES = `/packages/(${TRIPWIRES.map(({ file }) => file.replaceAll('.', '\\.')).join('|')})$`;

/** Where the names of functions that were called are kept, in the global object of the tests. */
export const TAKEN = 'nestwright.test.fastPathsTaken';

function withTripwire(source, path) {
  const { function: name } = TRIPWIRES.find(({ file }) => path.replaceAll('\\', '/').endsWith(`/packages/${file}`));
  if (!new RegExp(`^(export )?(async )?function ${name}\\(`, 'm').test(source)) {
    throw new Error(`${join('packages', path)} has no function ${name}: see ${import.meta.filename}`);
  }

  // A declared function may be assigned to in its own module, and who imports it sees that.
  return `${source}
${name} = () => {
  (globalThis[Symbol.for('${TAKEN}')] ??= []).push('${name}');
  throw new Error('${name} was called with fast paths off');
};
`;
}

export default {
  createTransformer(options) {
    const swc = swcJest.createTransformer(options);

    return {
      ...swc,
      getCacheKey: (source, path, ...rest) => swc.getCacheKey(withTripwire(source, path), path, ...rest),
      process: (source, path, ...rest) => swc.process(withTripwire(source, path), path, ...rest),
      processAsync: (source, path, ...rest) => swc.processAsync(withTripwire(source, path), path, ...rest),
    };
  },
};
