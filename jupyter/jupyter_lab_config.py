"""What `make lab` sets for JupyterLab; a learner's own settings stay beside it."""

c = get_config()  # noqa: F821

c.LabApp.default_url = "/lab/tree/notebooks/00_start_here.ipynb"
