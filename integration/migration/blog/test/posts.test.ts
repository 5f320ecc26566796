import { CrudRequest } from '@nestjsx/crud';

jest.mock('@nestjsx/crud-typeorm', () => ({ TypeOrmCrudService: class {} }));

test('the request', async () => {
  const { CrudConfigService } = await import('@nestjsx/crud');
  const request = {} as CrudRequest;
  expect([CrudConfigService, request]).toHaveLength(2);
});
