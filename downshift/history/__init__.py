"""The whole log, for views that look back over days; nothing that a hook imports."""
