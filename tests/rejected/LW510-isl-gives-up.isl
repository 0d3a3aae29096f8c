# options: --engine isl
{ S[i] -> [i] : i < 9 }
