// arguments: .
