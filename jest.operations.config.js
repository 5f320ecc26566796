/** The trials of what docs/operations.md says, on servers of their own: `npm run test:operations`. */
import config from './jest.config.js';

const databases = config.projects.find(({ displayName }) => displayName === 'databases');
const { globalSetup: _, globalTeardown: __, ...rest } = databases;

export default {
  ...config,
  projects: [
    {
      ...rest,
      displayName: 'operations',
      testMatch: ['<rootDir>/integration/operations/**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/'],
    },
  ],
};
