"""From a schedule to loops: the AST generator of Grosser, Verdoolaege and Cohen (2015)."""
