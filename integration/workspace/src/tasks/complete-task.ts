/** The body of `POST /projects/:projectId/tasks/:id/complete`. */
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';

export class CompleteTask {
  @ApiProperty({ minLength: 1, maxLength: 500 })
  @IsString()
  @Length(1, 500)
  comment!: string;
}
