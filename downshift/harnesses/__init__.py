"""One module or package for each tool Downshift plugs into; `registry` lists them."""
