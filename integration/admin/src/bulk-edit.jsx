/** One change of all selected records, by one request. */
import EditIcon from '@mui/icons-material/EditOutlined';
import { Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useState } from 'react';
import { Button, Form, SaveButton, useListContext, useNotify, useRefresh, useUpdateMany } from 'react-admin';

/** @param children inputs; what is left empty in them stays as it is */
export function BulkEditButton({ children }) {
  const [isOpen, setOpen] = useState(false);
  const { resource, selectedIds, onUnselectItems } = useListContext();
  const notify = useNotify();
  const refresh = useRefresh();
  const [update] = useUpdateMany();
  const save = (values) => {
    const data = Object.fromEntries(Object.entries(values).filter(([, value]) => value || value === 0));
    const params = { ids: selectedIds, data };
    return update(resource, params, {
      onSuccess() {
        notify('ra.notification.updated', { messageArgs: { smart_count: selectedIds.length } });
        setOpen(false);
        onUnselectItems();
        refresh();
      },
      onError: (error) => notify(error.message, { type: 'error' }),
    });
  };

  return (
    <>
      <Button label="Edit" onClick={() => setOpen(true)}>
        <EditIcon />
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} fullWidth maxWidth="xs" aria-labelledby="bulk-edit">
        <DialogTitle id="bulk-edit">Edit {selectedIds.length} selected</DialogTitle>
        <Form onSubmit={save}>
          <DialogContent>{children}</DialogContent>
          <DialogActions>
            <Button label="ra.action.cancel" onClick={() => setOpen(false)} />
            <SaveButton />
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}
