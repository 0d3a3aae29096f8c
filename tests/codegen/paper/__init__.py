"""The worked examples of the AST generation paper: inputs and code as the paper prints them."""
