// Nothing: a package with a file of this kind may declare functions without a body.
