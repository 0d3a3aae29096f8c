# T runs four steps behind S.
[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }
{ S[i] -> [i, 0]; T[i] -> [i + 4, 1] }
