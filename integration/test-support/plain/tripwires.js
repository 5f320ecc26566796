/** Functions that only fast paths call, by file, and a Jest transformer that makes them throw in the run with fast paths off. */
import { join } from 'node:path';
import swcJest from '@swc/jest';

/** Where a fast path asks whether it may be taken, and the function that it would then go through. */
export const TRIPWIRES = [
  {
    asks: 'crud/src/controller/handlers.ts',
    file: 'crud/src/exchange/handle-request.ts',
    function: 'handleRequest',
  },
  {
    asks: 'crud/src/serialization/to-plain.ts',
    file: 'crud/src/serialization/to-plain.ts',
    function: 'plainValue',
  },
  {
    asks: 'crud/src/validation/body-validator.ts',
    file: 'crud/src/validation/body-instance.ts',
    function: 'makeInstanceMaker',
  },
  {
    asks: 'sql/src/select/run-statements.ts',
    file: 'crud-typeorm/src/typeorm/text-rows.ts',
    function: 'findTextSupport',
  },
  {
    asks: 'sql/src/select/rows-result.ts',
    file: 'sql/src/json/record-plan.ts',
    function: 'makeRecordPlan',
  },
  {
    asks: 'sql/src/returning/reasons-against.ts',
    file: 'sql/src/returning/returning-clause.ts',
    function: 'makeReturningClause',
  },
];

/** The files, for Jest's option `transform`. */
export const TRIPPED_FILES = `/packages/(${TRIPWIRES.map(({ file }) => file.replaceAll('.', '\\.')).join('|')})$`;

/** Where the names of functions that were called are kept, in the global object of the tests. */
export const TAKEN = 'nestwright.test.fastPathsTaken';

function withTripwire(source, path) {
  const { function: name } = TRIPWIRES.find(({ file }) => path.replaceAll('\\', '/').endsWith(`/packages/${file}`));
  if (!new RegExp(`^(export )?(async )?function ${name}\\(`, 'm').test(source))
    throw new Error(`${join('packages', path)} has no function ${name}: see ${import.meta.filename}`);

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
