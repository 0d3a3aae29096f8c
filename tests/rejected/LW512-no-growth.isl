# options: --strategy mappings --k 0 --max-growth 1
[n] -> { S[i] -> [i] : 0 <= i < n; T[i] -> [i] : 2 <= i < 4 }
