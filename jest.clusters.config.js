/** Trials on clusters of databases, some minutes long: `npm run test:clusters`. */
import operations from './jest.operations.config.js';

export default {
  ...operations,
  projects: operations.projects.map((project) => ({
    ...project,
    displayName: 'clusters',
    testMatch: ['<rootDir>/integration/clusters/**/*.spec.ts'],
  })),
};
