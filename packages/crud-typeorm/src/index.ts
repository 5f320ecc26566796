/** The TypeORM adapter of nestwright: one service class; everything else is its own. */
export { TypeOrmCrudService } from './typeorm-crud.service.js';
