# The domain: two statements with n instances each.
[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }

# The schedule: when each instance runs. Times are compared like words in a dictionary.
{ S[i] -> [i, 0]; T[i] -> [i, 1] }

# The context, if anything is known about n.
[n] -> { : n >= 1 }
