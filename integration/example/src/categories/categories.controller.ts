/** /categories: a tree, joined two levels up and down. */
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Crud, type CrudController } from '@nestwright/crud';
import { CategoriesService } from './categories.service.js';
import { Category } from './category.entity.js';

@Crud({
  model: { type: Category },
  query: {
    join: {
      parent: {},
      children: {},
      'parent.parent': {},
      'children.children': {},
    },
  },
})
@ApiTags('categories')
@Controller('categories')
export class CategoriesController implements CrudController<Category> {
  constructor(public service: CategoriesService) {}
}
