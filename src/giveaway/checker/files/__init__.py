"""Released files and tables read back and compared with what was to be written."""
