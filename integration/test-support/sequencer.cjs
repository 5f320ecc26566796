/** The order of spec files: Jest's own, which knows nothing but their sizes in a fresh clone, behind those that take longest. */
const { default: Sequencer } = require('@jest/test-sequencer');

const LONG = /\/integration\/(?:corpus|test)\/|\/scripts\/test\/|\/crud-(?:memory|drizzle)\/test\//;

module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path }) => LONG.test(path);

    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
