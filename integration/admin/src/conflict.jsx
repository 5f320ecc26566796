/** Edit screens whose saves overwrite nothing of others: if they have changed the record since, both versions are shown, field by field. */
import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  FormControlLabel,
  Radio,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
} from '@mui/material';
import { resolveConflicts } from '@nestwright/react-admin';
import { Children, useState } from 'react';
import { Edit, RecordContextProvider, useEditContext, useNotify, useRegisterMutationMiddleware } from 'react-admin';

/** Why a save has ended without one: the member went back, or took what others have stored. */
const NOT_SAVED = new Error('Not saved');

/** @param fields how the dialog shows the fields of the form, as in a list: `<TextField source="title" label="Title" />` */
export function CarefulEdit({ fields, children, ...props }) {
  const notify = useNotify();
  const onError = (error) => {
    // Errors of fields stand at their inputs.
    if (error === NOT_SAVED || Object.keys(error.body?.errors ?? {}).length > 0) return;
    notify(error.message, { type: 'error' });
  };

  return (
    <Edit mutationMode="pessimistic" mutationOptions={{ onError }} {...props}>
      {children}
      <ConflictDialog>{fields}</ConflictDialog>
    </Edit>
  );
}

function ConflictDialog({ children }) {
  const [question, setQuestion] = useState();
  const { refetch } = useEditContext();
  const [middleware] = useState(() =>
    resolveConflicts((conflict) => new Promise((save, refuse) => setQuestion({ conflict, save, refuse }))),
  );
  useRegisterMutationMiddleware(middleware);
  if (!question) return null;

  const leave = (answer) => {
    setQuestion(undefined);
    answer();
  };
  const back = () => question.refuse(NOT_SAVED);
  const reload = () => {
    refetch();
    back();
  };

  return (
    <Dialog open maxWidth="md" aria-labelledby="conflict" onClose={() => leave(back)}>
      <DialogTitle id="conflict">Somebody else has changed this record</DialogTitle>
      <Versions
        {...question.conflict}
        fields={Children.toArray(children.props.children)}
        onSave={(record) => leave(() => question.save(record))}
        onReload={() => leave(reload)}
        onBack={() => leave(back)}
      />
    </Dialog>
  );
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Of each field that differs one version is chosen: at first mine, if I have changed it. */
function Versions({ mine, theirs, changed, fields, onSave, onReload, onBack }) {
  const differing = fields.filter(({ props: { source } }) => !isSame(mine[source], theirs[source]));
  const names = differing.map(({ props }) => props.source);
  const [kept, setKept] = useState(names.filter((name) => changed.includes(name)));
  const save = (chosen) => onSave({ ...theirs, ...Object.fromEntries(chosen.map((name) => [name, mine[name]])) });

  return (
    <>
      <DialogContent>
        <DialogContentText sx={{ mb: 1 }}>Choose what to keep of each field.</DialogContentText>
        <Table size="small">
          <TableHead>
            <TableRow>
              <TableCell>Field</TableCell>
              <TableCell>Yours</TableCell>
              <TableCell>Theirs</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {differing.map((field) => {
              const { source, label } = field.props;
              const version = (record, isChosen, onChoose) => (
                <TableCell>
                  <FormControlLabel
                    control={<Radio size="small" name={source} checked={isChosen} onChange={onChoose} />}
                    label={
                      <RecordContextProvider value={record}>
                        {record[source] == null ? '–' : field}
                      </RecordContextProvider>
                    }
                  />
                </TableCell>
              );

              return (
                <TableRow key={source}>
                  <TableCell component="th" scope="row">
                    {label}
                  </TableCell>
                  {version(mine, kept.includes(source), () => setKept([...kept, source]))}
                  {version(theirs, !kept.includes(source), () => setKept(kept.filter((name) => name !== source)))}
                </TableRow>
              );
            })}
          </TableBody>
        </Table>
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap', px: 3, pb: 2 }}>
        <Button onClick={onBack} sx={{ mr: 'auto' }}>
          Back
        </Button>
        <Button onClick={onReload}>Take theirs</Button>
        <Button onClick={() => save(names)}>Keep mine</Button>
        <Button variant="contained" onClick={() => save(kept)}>
          Save the selection
        </Button>
      </DialogActions>
    </>
  );
}
