# options: --loop-type unroll --max-nodes 100
{ S[i] -> [i] : 0 <= i < 1000 }
